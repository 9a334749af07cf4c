/** Backfills: a job brings rows of before an upgrade up to it, in lots; it may be cut, and everybody sees how far it is. */
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { listCondiciones, watchCondiciones } from '~/domain/operacion/mantenimiento/condiciones.server';
import { readEstado } from '~/domain/operacion/mantenimiento/estado.server';
import { CONDICIONES } from '~/domain/operacion/mantenimiento/internal/condicionCatalog.server';
import { readMetricas } from '~/domain/operacion/mantenimiento/metricas.server';
import { saveDeTodos } from '~/domain/operacion/mantenimiento/muestras.server';
import { carryLibros } from '~/domain/ventas/libro/asentar.server';
import { buildOrden } from '../../../support/builders/ordenes';
import { ownerDatabase, testDatabase } from '../../../support/db';
import { buildUsuarios, Web } from '../../../support/web';

const { db } = testDatabase();
const { db: owner } = ownerDatabase();
/** More than a lot. */
const VENTAS = 620;

beforeAll(async () => {
  for (let n = 0; n < VENTAS; n++) await buildOrden(db, { envio: null });
}, 120_000);

/** Makes all sales as they were before the ledger. */
beforeEach(async () => {
  await sql`delete from muestra`.execute(owner);
  await owner.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql`delete from asiento`.execute(trx);
    await sql`update libro_venta set recibe = null, costo = null, comision = null, falta = '{calculo}', estima = '{}'`.execute(
      trx,
    );
  });
});

/** A run that is told to stop once it has done so many lots. */
function cutAfter(lots: number): AbortSignal {
  let asked = 0;
  const cut = new AbortController();
  return new Proxy(cut.signal, {
    get: (signal, key) => (key === 'aborted' ? asked++ >= lots : Reflect.get(signal, key)),
  });
}
const left = async () =>
  (await readMetricas(db))
    .find(({ nombre }) => nombre === 'backfill_rows_left')!
    .valores.find(({ etiquetas }) => etiquetas.task === 'libro.asentar')!.valor;
const acarreo = async () => (await readEstado(db)).acarreos.find(({ tarea }) => tarea === 'libro.asentar');
/** Samples of what all share, as if the time had passed since. */
const moveBack = (minutes: number) =>
  sql`update muestra set en = en - make_interval(mins => ${minutes})`.execute(owner);

test('a run that is cut goes on where it stopped, and each sale is reckoned once', async () => {
  expect(await left()).toBe(VENTAS);
  expect(await carryLibros(db, {}, cutAfter(1))).toBe(500);
  expect(await left()).toBe(VENTAS - 500);
  const first = (await sql<{ n: number }>`select count(*)::int as n from asiento`.execute(db)).rows[0]!.n;
  expect(await carryLibros(db)).toBe(VENTAS - 500);
  expect(await left()).toBe(0);
  expect((await sql<{ n: number }>`select count(*)::int as n from asiento`.execute(db)).rows[0]!.n).toBe(
    (first / 500) * VENTAS,
  );
  expect(await carryLibros(db)).toBe(0);
});

test('how far it is, at what pace and until when is told: of the most there was, and a stop is no pace', async () => {
  await saveDeTodos(db);
  expect(await acarreo()).toMatchObject({ quedan: VENTAS, eran: VENTAS, porMinuto: null, faltan: null });
  await moveBack(10);
  await carryLibros(db, {}, cutAfter(1));
  await saveDeTodos(db);
  const going = (await acarreo())!;
  expect(going).toMatchObject({ quedan: VENTAS - 500, eran: VENTAS });
  // Five hundred in ten minutes, to the minute in which the sample counts.
  expect(going.porMinuto).toBeGreaterThan(40);
  expect(going.porMinuto).toBeLessThan(51);
  expect(going.faltan).toBeCloseTo((VENTAS - 500) / going.porMinuto!, 5);
  // Within the quarter of an hour that a pace is told of, also where a minute ends meanwhile.
  await moveBack(12);
  await saveDeTodos(db);
  expect(await acarreo()).toMatchObject({ quedan: VENTAS - 500, eran: VENTAS, porMinuto: 0, faltan: null });
  await carryLibros(db);
  expect(await acarreo()).toMatchObject({ quedan: 0, eran: VENTAS });
  // What ended long ago is no news.
  await moveBack(8 * 1_440);
  expect(await acarreo()).toBeUndefined();
});

const quietas = CONDICIONES.filter(({ clave }) => clave === 'acarreoQuieto');
const mira = () => quietas[0]!.mira(db);
/** Samples of the minutes before the last one, as if nothing had moved in them. */
const standFor = (minutes: number) =>
  sql`insert into muestra select en - make_interval(mins => n), proceso, datos from muestra, generate_series(1, ${minutes}) n`.execute(
    owner,
  );

test('one that stands still with rows left is a condition, which goes by itself when it moves and when it is done', async () => {
  await carryLibros(db, {}, cutAfter(1));
  await saveDeTodos(db);
  expect(await mira()).toBeNull();
  // A sample that was kept a moment ago is of the minute that runs.
  await moveBack(1);
  await standFor(28);
  expect(await mira()).toBeNull();
  await sql`delete from muestra where en < (select max(en) from muestra)`.execute(owner);
  await standFor(31);
  await watchCondiciones(db, quietas);
  expect(await listCondiciones(db)).toMatchObject([
    {
      clave: 'acarreoQuieto',
      nivel: 'aviso',
      texto:
        'Lo que dejó la actualización no avanza desde hace más de 30 minutos: «Libros de las ventas de antes» (120 por hacer).',
      remedio: expect.stringContaining('«libro.asentar» en el registro del worker') as string,
      pantalla: 'estado',
    },
  ]);

  // It moved within the stretch.
  await sql`update muestra set datos = jsonb_set(datos, '{quedan,libro.asentar}', '620') where en < now() - interval '25 minutes'`.execute(
    owner,
  );
  expect(await mira()).toBeNull();
  // What came meanwhile is no standing still either.
  await sql`update muestra set datos = jsonb_set(datos, '{quedan,libro.asentar}', case when en < now() - interval '25 minutes' then '0' else '120' end::jsonb)`.execute(
    owner,
  );
  expect(await mira()).toBeNull();

  await sql`update muestra set datos = jsonb_set(datos, '{quedan,libro.asentar}', '120')`.execute(owner);
  expect(await mira()).not.toBeNull();
  await carryLibros(db);
  await sql`update condicion set vista_en = now() - interval '6 minutes'`.execute(owner);
  await watchCondiciones(db, quietas);
  expect(await listCondiciones(db)).toEqual([]);
});

test('nobody telling what is left is no yes: a worker that has run for long says that it cannot look', async () => {
  await sql`delete from muestra`.execute(owner);
  expect(await mira()).toBeNull();
  const uptime = vi.spyOn(process, 'uptime').mockReturnValue(2 * 3_600);
  await expect(mira()).rejects.toThrow('nadie ha dicho cuánto le queda a libro.asentar');
  await carryLibros(db);
  expect(await mira()).toBeNull();
  uptime.mockRestore();
});

test('Estado shows it while there is or was something left', async () => {
  await buildUsuarios(db);
  const web = await Web.start({});
  const cookie = await web.session('sa');
  const page = async () => (await web.fetch('/sa/estado', { cookie })).text();
  await carryLibros(db, {}, cutAfter(1));
  const said = await page();
  expect(said).toContain('Libros de las ventas de antes');
  // The web may have told a sample before.
  expect(said).toMatch(/>(?:0 de 120|500 de 620)</);
  await carryLibros(db);
  await sql`delete from muestra`.execute(owner);
  expect(await page()).not.toContain('Lo que dejó la actualización');
  await web.stop();
});
