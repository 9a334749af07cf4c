import { sql } from 'kysely';
import { beforeEach, expect, test, vi } from 'vitest';
import { forgetEnv } from '~/core/env.server';
import { PERSONAS } from '~/core/persona';
import { listCondiciones, watchCondiciones } from '~/domain/operacion/mantenimiento/condiciones.server';
import { CONDICIONES } from '~/domain/operacion/mantenimiento/internal/condicionCatalog.server';
import type { Condicion, Hallazgo } from '~/domain/operacion/mantenimiento/internal/condicion';
import { readSalud } from '~/domain/operacion/mantenimiento/salud.server';
import { noteFailure, noteOutcome, noteSuccess } from '~/platform/connections/breaker.server';
import { Refused } from '~/integrations/errors';
import { openDatabase } from '~db/client.server';
import { testDatabase } from '../../../support/db';
import { buildUsuarios } from '../../../support/web';

const { db } = testDatabase();
let people: Awaited<ReturnType<typeof buildUsuarios>> | undefined;

beforeEach(async () => {
  people ??= await buildUsuarios(db);
  await sql`delete from condicion`.execute(db);
  await sql`delete from connection`.execute(db);
});

const letters = async () =>
  (
    await db
      .selectFrom('effect')
      .select(sql<string>`request ->> 'asunto'`.as('asunto'))
      .where('type', '=', 'condicion.mail')
      .orderBy('id')
      .execute()
  ).map(({ asunto }) => asunto);

const only = (clave: string) => CONDICIONES.filter((one) => one.clave === clave);
const claves = async () => (await listCondiciones(db)).map(({ clave }) => clave);

test('a change of state is told once to every sa, however often it is looked at, and its end once more', async () => {
  let found: Hallazgo | null = { nivel: 'aviso', texto: 'Algo pasa.', remedio: 'Haz algo.' };
  const condicion: Condicion = { clave: 'algo', mira: () => Promise.resolve(found) };
  const look = () => watchCondiciones(db, [condicion]);
  await look();
  await look();
  expect(await letters()).toEqual(['Aviso: Algo pasa.']);
  found = { ...found, nivel: 'grave' };
  await look();
  await look();
  expect(await letters()).toEqual(['Aviso: Algo pasa.', 'Atención: Algo pasa.']);
  const [active] = await listCondiciones(db);
  found = null;
  await look();
  // What comes and goes within minutes is one story.
  expect(await listCondiciones(db)).toEqual([active]);
  await sql`update condicion set vista_en = now() - interval '6 minutes'`.execute(db);
  await look();
  await look();
  expect(await listCondiciones(db)).toEqual([]);
  expect((await letters()).slice(2)).toEqual(['Resuelto: Algo pasa.']);
  const letter = await db
    .selectFrom('effect')
    .select('request')
    .where('type', '=', 'condicion.mail')
    .executeTakeFirstOrThrow();
  expect(letter.request).toMatchObject({
    emails: ['sa@ejemplo.mx'],
    texto: expect.stringContaining('Haz algo.') as string,
  });
});

test('one that cannot look stops no other, and is told as one more', async () => {
  const broken: Condicion = { clave: 'rota', mira: () => Promise.reject(new Error('no se pudo')) };
  const other: Condicion = { clave: 'otra', mira: () => Promise.resolve({ nivel: 'aviso', texto: 'a', remedio: 'b' }) };
  await watchCondiciones(db, [broken, other]);
  expect(await claves()).toEqual(['sinMirar', 'otra']);
  expect(await listCondiciones(db)).toMatchObject([
    { nivel: 'grave', texto: expect.stringMatching(/no se pudo mirar rota\.$/) as string },
    {},
  ]);
  await sql`update condicion set vista_en = now() - interval '6 minutes'`.execute(db);
  await watchCondiciones(db, [other]);
  expect(await claves()).toEqual(['otra']);
});

test('each condition whose source gives no data is named: a database that is away, disks that do not answer', async () => {
  const away = openDatabase('postgres://nadie@127.0.0.1:1/nada', { max: 1 });
  vi.stubEnv('DISCOS', '/no/existe');
  forgetEnv();
  await watchCondiciones(
    db,
    CONDICIONES.map(({ clave, mira }) => ({ clave, mira: () => mira(away.db) })),
  );
  vi.unstubAllEnvs();
  forgetEnv();
  await away.close();
  const [told] = await listCondiciones(db);
  expect(told!.clave).toBe('sinMirar');
  for (const { clave } of CONDICIONES) expect(told!.texto).toMatch(new RegExp(`\\b${clave}\\b`));
});

test('a nightly comparison that does not run any more says nothing, and that is told', async () => {
  for (const [table, clave] of [
    ['libro_cuadre', 'libroDescuadrado'],
    ['stock_cuadre', 'stockDescuadrado'],
  ] as const) {
    const columns =
      table === 'libro_cuadre' ? sql`(en, vistas, descuadradas, ventas)` : sql`(en, descuadradas, folios)`;
    const values = table === 'libro_cuadre' ? sql`9, 0, '{}'` : sql`0, '{}'`;
    await sql`insert into ${sql.table(table)} ${columns} values (now() - interval '60 hours', ${values})`.execute(db);
    await expect(only(clave)[0]!.mira(db)).rejects.toThrow('no se compara');
    await sql`insert into ${sql.table(table)} ${columns} values (now(), ${values})`.execute(db);
    expect(await only(clave)[0]!.mira(db)).toBeNull();
    await sql`delete from ${sql.table(table)}`.execute(db);
  }
});

test('a promise that is not kept is told with its figures, silence where each day has events too, and its end', async () => {
  const [promesa] = only('promesa');
  const aviso = (ago: string, took: string | null) =>
    sql`insert into inbox (source, dedupe_key, topic, resource, received_at, processed_at, state)
      values ('mercadolibre', uuidv7()::text, 'orders_v2', '/orders/1', now() - ${ago}::interval, now() - ${ago}::interval + ${took}::interval,
        ${took === null ? 'pending' : 'done'})`.execute(db);
  await aviso('1 hour', '1 minute');
  expect(await promesa!.mira(db)).toBeNull();
  await aviso('1 hour', null);
  expect(await promesa!.mira(db)).toMatchObject({
    nivel: 'aviso',
    texto: 'Algo tarda más de lo prometido. «Un aviso de la tienda está leído» a tiempo: 1 de 2 en 24 horas.',
    pantalla: 'estado',
  });
  await sql`delete from inbox`.execute(db);
  for (let day = 1; day <= 7; day++) await aviso(`${day} days 1 hour`, '1 minute');
  expect((await promesa!.mira(db))?.texto).toBe(
    'Algo tarda más de lo prometido. «Un aviso de la tienda está leído»: ninguna en 24 horas, y cada día las hay.',
  );
  await sql`delete from inbox`.execute(db);
  expect(await promesa!.mira(db)).toBeNull();
});

test('keys that the PAC no longer takes are said, with what to do, until it takes them', async () => {
  await watchCondiciones(db, only('llaves'));
  expect(await claves()).toEqual([]);
  await noteOutcome(db, 'facturacom', 'send', new Refused('La cuenta fue suspendida', { account: true }));
  await watchCondiciones(db, only('llaves'));
  expect(await listCondiciones(db)).toMatchObject([
    { clave: 'llaves', nivel: 'grave', texto: 'Las llaves de factura.com dejaron de servir.', pantalla: 'tokens' },
  ]);
  const { detalles } = await readSalud(db, () => Promise.resolve(true));
  expect(detalles?.avisos).toMatchObject([{ clave: 'llaves', nivel: 'grave' }]);
  await noteSuccess(db, 'facturacom', 'send');
  expect(await only('llaves')[0]!.mira(db)).toBeNull();
});

test('an outage is five failures in a row that last; one that people paused is none', async () => {
  for (let n = 0; n < 5; n++) await noteFailure(db, 'correo', 'send', 'sin respuesta');
  await sql`update connection_breaker set last_ok_at = now() - interval '2 minutes'`.execute(db);
  expect(await only('interrupcion')[0]!.mira(db)).toBeNull();
  await sql`update connection_breaker set last_ok_at = now() - interval '6 minutes'`.execute(db);
  expect((await only('interrupcion')[0]!.mira(db))?.texto).toBe('Sin respuesta: Correo.');
  await sql`update connection set paused_at = now()`.execute(db);
  expect(await only('interrupcion')[0]!.mira(db)).toBeNull();
});

test('a linked marketplace that was not read for an hour is a source in silence', async () => {
  await sql`insert into credential (connection, account, status, sealed, linked_at) values ('mercadolibre', '1', 'linked', '', now() - interval '2 hours')`.execute(
    db,
  );
  await sql`insert into sync_run (source, kind, started_at, ended_at) values ('mercadolibre', 'sweep', now() - interval '62 minutes', now() - interval '61 minutes')`.execute(
    db,
  );
  expect((await only('fuente')[0]!.mira(db))?.nivel).toBe('grave');
  await sql`insert into sync_run (source, kind, started_at, ended_at, error) values ('mercadolibre', 'sweep', now(), now(), 'no se pudo')`.execute(
    db,
  );
  expect(await only('fuente')[0]!.mira(db)).not.toBeNull();
  await sql`insert into sync_run (source, kind, started_at, ended_at) values ('mercadolibre', 'sweep', now(), now())`.execute(
    db,
  );
  expect(await only('fuente')[0]!.mira(db)).toBeNull();
  await sql`delete from credential`.execute(db);
});

test('a board that grows, a decision nobody took in a day, and a sale nobody could read are said', async () => {
  const [tablero, sinLeer] = [only('tablero')[0]!, only('ventasSinLeer')[0]!];
  const wait = (n: number, age: string) =>
    sql`insert into effect (type, key, ref, connection, request, request_hash, state, created_at)
      values ('x', ${`k${n}`}, ${`k${n}`}, 'correo', '{}', '', 'manual', now() - ${age}::interval)`.execute(db);
  for (let n = 0; n < 4; n++) await wait(n, '1 hour');
  expect(await tablero.mira(db)).toBeNull();
  await wait(4, '1 hour');
  expect((await tablero.mira(db))?.texto).toBe('5 solicitudes esperan una decisión.');
  await sql`delete from effect where type = 'x'`.execute(db);
  await wait(5, '25 hours');
  expect((await tablero.mira(db))?.texto).toContain('hace más de un día');
  await sql`delete from effect where type = 'x'`.execute(db);

  expect(await sinLeer.mira(db)).toBeNull();
  await sql`insert into inbox (source, dedupe_key, topic, resource, state) values ('mercadolibre', 'o', 'orders_v2', '/orders/1', 'failed')`.execute(
    db,
  );
  expect((await sinLeer.mira(db))?.texto).toBe('Un aviso de la tienda no se ha podido leer.');
});

test('every condition looks without a fault at an installation where nothing is wrong', async () => {
  // The law that is known ends with its year, and what follows it is written by somebody.
  const [ultima] = await db.selectFrom('tasaRetencion').selectAll().orderBy('desde', 'desc').limit(1).execute();
  for (const persona of PERSONAS)
    await db
      .insertInto('tasaRetencion')
      .values({ ...ultima!, persona, desde: '2090-01-01', hasta: null })
      .execute();
  for (const { clave, mira } of CONDICIONES) {
    if (clave !== 'ventasSinLeer') expect([clave, await mira(db)]).toEqual([clave, null]);
  }
});
