import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '~/core/submission';
import type { Usuario } from '~/core/usuario';
import { mesBefore } from '~/core/time';
import { linkFacturacom } from '~/domain/facturacion/cfdi/emisor.server';
import { runExport } from '~/domain/operacion/exports/runExport.server';
import { mesesAbiertos } from '~/domain/facturacion/mes/mesesAbiertos.server';
import { mesOf } from '~/domain/facturacion/mes/mes';
import { action, loader } from '~/routes/facturacion/mes/facturacionGeneral';
import { action as pedirExportacion } from '~/routes/files/exportaciones';
import { loader as leerVentana } from '~/routes/files/listas';
import { loader as leerLote } from '~/routes/files/lotes';
import { buildOrden, seedMes } from '../support/builders/mes';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';
import { runJobsUntil } from '../support/jobs';
import { startTestSandbox } from '../support/sandbox';

process.env.EFFECT_PACE = '0.05';
const sandbox = await startTestSandbox();
const { db } = testDatabase();
const MES = '2026-07';
let sa: Usuario;
let admin: Usuario;
let user: Usuario;

beforeAll(async () => {
  const { apiKey, secretKey } = await sandbox.facturacom.keys();
  [sa, admin, user] = [await buildPersona(db, 'sa'), await buildPersona(db, 'admin'), await buildPersona(db, 'user')];
  await linkFacturacom(db, { apiKey, secret: secretKey, usuarioId: sa.id });
  await seedMes(db, { mes: MES, count: 250 });
});

function args(
  path: string,
  {
    body,
    params = {},
    quien = sa,
  }: { body?: Record<string, string>; params?: Record<string, string>; quien?: Usuario } = {},
): ActionFunctionArgs {
  const request = new Request(
    `http://trastienda.test/${quien.rol}/${path}`,
    body ? { method: 'POST', body: new URLSearchParams(body) } : {},
  );
  return { request, params, context: { usuario: quien } as unknown as AppLoadContext };
}

const open = async (query: string) => loader(args(`facturacionGeneral?${query}`));
/** A press on the page as it stands, unless `body` brings what an older one showed. */
async function press(body: Record<string, string>, query = `mes=${MES}`, quien = sa) {
  const visto = body.intent === 'emitir' ? await vistoEn(body.mes!, body.tabla!) : {};
  return action(args(`facturacionGeneral?${query}`, { body: { ...visto, ...body }, quien }));
}
const vistoEn = async (mes: string, tabla: string) =>
  (await open(`mes=${mes}`)).mes!.tablas.find((one) => one.tabla === tabla)!.visto;
/** What a page that waits for the worker gets. */
async function whileTheWorkerRuns<T>(asked: Promise<T>): Promise<T> {
  asked.catch(() => undefined);
  await runJobsUntil(() =>
    Promise.race([
      asked.then(
        () => true,
        () => true,
      ),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 20)),
    ]),
  );
  return asked;
}
const refusalOf = (answer: unknown) => answer as { data: Answer; init: { status: number } };

describe('the month on the screen', () => {
  test('without one it is the newest that is not closed; a bad one is none', async () => {
    const [debido] = await mesesAbiertos(db, new Date());
    const sent = (await open('tabla=devueltas').catch((answer: unknown) => answer)) as Response;
    expect([sent.status, sent.headers.get('Location')]).toEqual([
      302,
      `?tabla=devueltas&mes=${debido?.mes ?? mesBefore(mesOf(new Date()))}`,
    ]);
    expect((await open('mes=2026-13')).mes).toBeNull();
  });

  test('its tables with exact sums, the first one listed in windows', async () => {
    const { mes, lista } = await open(`mes=${MES}`);
    expect(mes!.tablas.map(({ tabla, registros }) => [tabla, registros])).toEqual([
      ['ordenes', 250],
      ['refacturacion', 0],
      ['devueltas', 0],
      ['parciales', 0],
    ]);
    const { subTotal, iva, total } = mes!.tablas[0]!;
    const { rows } = await db
      .selectFrom('orden')
      .select('pagadoAbs')
      .execute()
      .then((all) => ({ rows: all }));
    const cents = rows.reduce((sum, { pagadoAbs }) => sum + BigInt(pagadoAbs.toFixed(2).replace('.', '')), 0n);
    expect(total.replace('.', '')).toBe(String(cents));
    expect((Number(subTotal) + Number(iva)).toFixed(2)).toBe(total);
    expect(Math.abs(Number(subTotal) * 1.16 - Number(total))).toBeLessThan(0.02);
    expect(lista!.lista.ventana.filas).toHaveLength(50);
    expect(lista!.lista.totales).toMatchObject({ registros: 250, subTotal, iva, total });
    const { corte } = lista!.lista;
    const windowOf = async (quien: Usuario) =>
      leerVentana(
        args(`listas/x?mes=${MES}&ventana=2&total=250&corte=${corte}`, {
          params: { lista: 'facturacionGeneral.ordenes' },
          quien,
        }),
      );
    expect(((await (await windowOf(sa)).json()) as { filas: unknown[] }).filas).toHaveLength(50);
    expect((await windowOf(admin)).status).toBe(200);
    expect(
      await windowOf(user).then(
        () => 0,
        (error: Response) => error.status,
      ),
    ).toBe(404);
  });

  test('a row expands to what was sold', async () => {
    const [first] = (await open(`mes=${MES}`)).lista!.lista.ventana.filas;
    expect((await open(`mes=${MES}&ver=${first!.id}`)).articulos).toMatchObject([
      { nombre: 'Cámara IP de 2 megapíxeles', cantidad: 1 },
    ]);
    expect((await open(`mes=${MES}&ver=nada`)).articulos).toEqual([]);
  });
});

describe('«Generar Factura»', () => {
  test('is of sa alone: admin sees the three tables and issues credit notes', async () => {
    const as = (quien: Usuario) => loader(args(`facturacionGeneral?mes=${MES}`, { quien }));
    expect([(await as(sa)).factura, (await as(admin)).factura]).toEqual([true, false]);
    for (const confirmado of ['', '1']) {
      const dicho = await press({ intent: 'emitir', tabla: 'ordenes', mes: MES, confirmado }, undefined, admin);
      expect(refusalOf(dicho).data).toMatchObject({
        titulo: 'Error de autenticación.',
        error: { '': ['El rol de este usuario no puede hacer este cambio.'] },
      });
    }
    expect((await as(sa)).mes!.tablas[0]).toMatchObject({ registros: 250, lote: null });
    expect(await press({ intent: 'emitir', tabla: 'devueltas', mes: MES }, undefined, admin)).toMatchObject({
      data: { confirmar: { titulo: 'Notas de Credito' } },
    });
  });

  test('asks first, and says so of a month still to come and of one with nothing to do', async () => {
    expect(await press({ intent: 'emitir', tabla: 'ordenes', mes: MES })).toMatchObject({
      data: {
        confirmar: {
          texto: '¿Estas seguro de generar la factura general de julio de 2026?',
          hechos: expect.stringMatching(/^julio de 2026 · 250 ventas · \$[\d,]+\.\d\d$/) as string,
        },
      },
    });
    const future = await press({ intent: 'emitir', tabla: 'ordenes', mes: '2099-01', confirmado: '1' });
    expect(refusalOf(future)).toMatchObject({
      init: { status: 422 },
      data: {
        titulo: 'Error al facturar.',
        error: { '': ['Enero de 2099 todavía no empieza: no hay nada que facturar.'] },
      },
    });
    expect((await open('mes=2099-01')).aviso).toBe('Enero de 2099 todavía no empieza: no hay nada que facturar.');
    const nothing = await press({ intent: 'emitir', tabla: 'devueltas', mes: MES, confirmado: '1' });
    expect(refusalOf(nothing).data).toMatchObject({
      titulo: 'Error al Crear Notas de Credito.',
      error: { '': ['No hay notas de crédito por emitir de julio de 2026.'] },
    });
  });

  test('takes no sale that its page did not show: it says how many and how much now, and the same press after it is about those', async () => {
    const mes = '2026-05';
    await buildOrden(db, { fecha: '2026-05-10T18:00:00Z' });
    const visto = await vistoEn(mes, 'ordenes');
    const nueva = await buildOrden(db, { fecha: '2026-05-11T18:00:00Z' });
    const pressed = () => press({ intent: 'emitir', tabla: 'ordenes', mes, confirmado: '1', ...visto }, `mes=${mes}`);
    const { data, init } = refusalOf(await whileTheWorkerRuns(pressed()));
    expect(init.status).toBe(422);
    expect(data.titulo).toBe('Error al facturar.');
    expect(data.choque!.cambios).toMatchObject([
      { campo: 'Ordenes', mio: '1', suyo: '2' },
      { campo: 'Total' },
      { campo: 'Última venta', mio: '2026-05-10 12:00', suyo: '2026-05-11 12:00' },
    ]);
    expect(data.choque!.marcas).toEqual(await vistoEn(mes, 'ordenes'));
    expect((await open(`mes=${mes}`)).mes!.tablas[0]).toMatchObject({ registros: 2, lote: null });

    // Another one of the same price in its place: neither number nor sum tells.
    Object.assign(visto, data.choque!.marcas);
    await db.updateTable('orden').set({ clase: 'cancelada' }).where('id', '=', nueva.id).execute();
    await buildOrden(db, { fecha: '2026-05-11T18:00:00Z' });
    const otra = refusalOf(await pressed()).data.choque!;
    expect(otra.cambios).toMatchObject([{ campo: 'Ventas' }]);
    Object.assign(visto, otra.marcas);
    expect(await pressed()).toBeInstanceOf(Response);
    expect((await open(`mes=${mes}`)).mes!.tablas[0]).toMatchObject({ registros: 0, lote: { total: 1 } });
  });

  test('leads back to the month, whose batch anybody finds again, with its result as a list and as Excel', async () => {
    const answer = (await whileTheWorkerRuns(
      press({ intent: 'emitir', tabla: 'ordenes', mes: MES, confirmado: '1' }),
    )) as Response;
    expect(answer.headers.get('Location')).toBe(`?mes=${MES}&tabla=ordenes`);
    const { mes } = await open(`mes=${MES}`);
    const lote = mes!.tablas[0]!.lote!;
    await runJobsUntil(
      async () =>
        ((await (await leerLote(args('lotes/x', { params: { id: lote.id } }))).json()) as { done: number }).done === 1,
    );
    expect((await open(`mes=${MES}`)).mes!.tablas[0]).toMatchObject({
      registros: 0,
      lote: { total: 1, done: 1, failed: 0 },
    });
    const { resultado } = await open(`mes=${MES}&lote=${lote.id}`);
    expect(resultado!.ventana.filas).toMatchObject([{ ref: `GLOBAL-${MES}-1`, state: 'done', serie: 'F' }]);
    await pedirExportacion(
      args('exportaciones', {
        body: { intent: 'pedir', lista: 'facturacionGeneral.lote', search: `lote=${lote.id}`, volver: '/sa' },
      }),
    );
    const run = await db
      .selectFrom('exportRun')
      .select('id')
      .where('list', '=', 'facturacionGeneral.lote')
      .executeTakeFirstOrThrow();
    await runExport(db, run.id, { lastAttempt: true });
    expect(
      await db.selectFrom('exportRun').select(['state', 'written']).where('id', '=', run.id).executeTakeFirst(),
    ).toEqual({ state: 'done', written: 1 });
  });

  test('what was refused says why, in the result too, and is tried again by its button', async () => {
    const mes = '2026-06';
    await buildOrden(db, { fecha: '2026-06-10T18:00:00Z' });
    await sandbox.facturacom.failNext('refuse', {
      times: 1,
      code: 'CFDI40130',
      message: 'CFDI40130 - El nodo InformacionGlobal debe existir',
    });
    await whileTheWorkerRuns(press({ intent: 'emitir', tabla: 'ordenes', mes, confirmado: '1' }));
    const lote = (await open(`mes=${mes}`)).mes!.tablas[0]!.lote!;
    const failed = async () => (await open(`mes=${mes}`)).mes!.tablas[0]!.lote!.failed;
    await runJobsUntil(async () => (await failed()) === 1);
    const { resultado } = await open(`mes=${mes}&lote=${lote.id}`);
    expect(resultado!.ventana.filas).toMatchObject([
      { state: 'refused', reason: expect.stringContaining('InformacionGlobal') },
    ]);
    expect(await press({ intent: 'reintentar', lote: lote.id }, `mes=${mes}`)).toBeInstanceOf(Response);
    await runJobsUntil(async () => (await open(`mes=${mes}`)).mes!.tablas[0]!.lote!.done === 1);
    expect(await failed()).toBe(0);
  });
});
