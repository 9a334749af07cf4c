import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { judgePromesa } from '~/domain/operacion/mantenimiento/promesa';
import { judgePromesas, measurePromesas, readPromesas } from '~/domain/operacion/mantenimiento/promesas.server';
import type { Trx } from '~db/client.server';
import { buildOrden } from '../../../support/builders/ordenes';
import { ownerDatabase, testDatabase } from '../../../support/db';

const { db } = testDatabase();

beforeEach(async () => {
  await sql`delete from inbox`.execute(db);
});

const read = async (clave: string) => (await readPromesas(db)).find((one) => one.clave === clave)!;
let seen = 0;
/** A notice that came so many minutes ago; null was not read yet. */
const notice = (ago: number, tookMinutes: number | null, state = tookMinutes === null ? 'pending' : 'done') =>
  sql`insert into inbox (source, dedupe_key, topic, resource, received_at, processed_at, state)
    values ('mercadolibre', ${`k${seen++}`}, 'orders_v2', '/orders/1', now() - make_interval(mins => ${ago}),
      now() - make_interval(mins => ${ago - (tookMinutes ?? 0)}), ${state})`.execute(db);

test('an event is judged by itself: one late of three breaks the promise, one late of a hundred does not', () => {
  expect(judgePromesa({ cuantas: 3, cumplidas: 3 }, 0)).toBe('cumple');
  expect(judgePromesa({ cuantas: 3, cumplidas: 2 }, 7)).toBe('falla');
  expect(judgePromesa({ cuantas: 100, cumplidas: 99 }, 7)).toBe('cumple');
  expect(judgePromesa({ cuantas: 100, cumplidas: 98 }, 7)).toBe('falla');
});

test('a day without events is none to praise: it fails where each day had some, and what cannot be read is unknown', () => {
  expect(judgePromesa({ cuantas: 0, cumplidas: 0 }, 6)).toBe('calla');
  expect(judgePromesa({ cuantas: 0, cumplidas: 0 }, 7)).toBe('falta');
  expect(judgePromesa(null, 7)).toBe('desconocida');
});

test('a notice that waits counts once it is late, and the worst leads to where it is seen', async () => {
  await notice(60, 1);
  await notice(3, null);
  expect(await read('aviso')).toMatchObject({ juicio: 'cumple', dia: { cuantas: 1, cumplidas: 1 } });
  await notice(40, null);
  await notice(3_000, 20);
  const aviso = await read('aviso');
  expect(aviso).toMatchObject({
    juicio: 'falla',
    dia: { cuantas: 2, cumplidas: 1, peor: { abierta: true, pantalla: 'tokens' } },
    mes: { cuantas: 3, cumplidas: 1 },
  });
  expect(Math.round(aviso.dia!.peor!.segundos / 60)).toBe(40);
});

test('a week with notices each day and a day without any is said as failing, with the last one', async () => {
  for (let day = 1; day <= 7; day++) await notice(day * 1_440 + 60, 1);
  const aviso = await read('aviso');
  expect([aviso.juicio, aviso.dia!.cuantas]).toEqual(['falta', 0]);
  expect(aviso.ultima).toBeInstanceOf(Date);
  const told = await measurePromesas(db);
  expect(told.find(({ nombre }) => nombre === 'promise_broken')!.valores).toContainEqual({
    etiquetas: { promise: 'aviso' },
    valor: 1,
  });
});

test('sales count from the first that was listed on, by the time from the marketplace to the list', async () => {
  const first = await buildOrden(db, { fechaCreacion: new Date(Date.now() - 40 * 86_400_000) });
  await sql`update orden set creada_en = now() - interval '10 days' where id = ${first.id}`.execute(db);
  const quick = await buildOrden(db, { fechaCreacion: new Date(Date.now() - 3_600_000) });
  await sql`update orden set creada_en = fecha_creacion + interval '2 minutes' where id = ${quick.id}`.execute(db);
  expect(await read('venta')).toMatchObject({ juicio: 'cumple', dia: { cuantas: 1 }, mes: { cuantas: 1 } });
  const slow = await buildOrden(db, { fechaCreacion: new Date(Date.now() - 3_600_000) });
  await sql`update orden set creada_en = fecha_creacion + interval '20 minutes' where id = ${slow.id}`.execute(db);
  expect(await read('venta')).toMatchObject({
    juicio: 'falla',
    dia: { cuantas: 2, cumplidas: 1, peor: { segundos: 1_200, pantalla: `ordenes?ver=${slow.id}` } },
  });
});

test('a stamp counts from the press to the CFDI, and a clear no of the PAC is neither', async () => {
  const effect = (state: string, minutes: number | null) =>
    sql`insert into effect (type, key, ref, connection, request, request_hash, state, created_at, settled_at)
      values ('cfdi.stamp', ${`s${seen}`}, ${`s${seen++}`}, 'facturacom', '{}', '', ${state}, now() - interval '1 hour',
        ${minutes === null ? null : sql`now() - interval '1 hour' + make_interval(mins => ${minutes})`})`.execute(db);
  await effect('done', 1);
  await effect('refused', 1);
  expect(await read('timbre')).toMatchObject({ juicio: 'cumple', dia: { cuantas: 1, cumplidas: 1 } });
  await effect('unknown', null);
  expect(await read('timbre')).toMatchObject({
    juicio: 'falla',
    dia: { cuantas: 2, peor: { abierta: true, pantalla: expect.stringMatching(/^pendientes\?ver=/) as string } },
  });
});

test('a promise whose events cannot be read is unknown, and the others are told', async () => {
  await notice(60, 1);
  await sql`alter table deposito rename to deposito_lejos`.execute(ownerDatabase().db);
  const promesas = await readPromesas(db);
  await sql`alter table deposito_lejos rename to deposito`.execute(ownerDatabase().db);
  expect(promesas.map(({ clave, juicio }) => [clave, juicio])).toContainEqual(['deposito', 'desconocida']);
  expect(promesas.find(({ clave }) => clave === 'aviso')!.juicio).toBe('cumple');
  expect(promesas.map(({ clave }) => clave)).toEqual(['venta', 'timbre', 'aviso', 'respuesta', 'deposito']);
});

/** Rows that PostgreSQL fetched of a table while `work` ran in a transaction of its own. */
const rowsRead = (tabla: string, work: (trx: Trx) => Promise<unknown>) =>
  db.transaction().execute(async (trx) => {
    const fetched = async () => {
      const { rows } = await sql<{ filas: number }>`
        select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as filas from pg_stat_xact_user_tables where relname = ${tabla}`.execute(
        trx,
      );
      return rows[0]?.filas ?? 0;
    };
    const before = await fetched();
    await work(trx);
    return (await fetched()) - before;
  });

test('each minute the events of the last day are read, and no sale of the years before', async () => {
  const first = await buildOrden(db, { fechaCreacion: new Date(Date.now() - 40 * 86_400_000) });
  // Eighty days of a hundred sales each, by copies of one; ids are of their days, and nothing was ever sold at the other marketplace.
  const { rows: columns } = await sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = 'orden'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname not in ('id', 'market_id', 'num_orden', 'fecha_creacion', 'creada_en')`.execute(db);
  const rest = sql.join(columns.map(({ name }) => sql.ref(name)));
  await ownerDatabase()
    .db.transaction()
    .execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`insert into orden (id, market_id, num_orden, fecha_creacion, creada_en, ${rest})
      select uuidv7(-ago), 'c' || n, 'c' || n, now() - ago, now() - ago + interval '1 min', ${rest}
      from orden, generate_series(1, 8000) n, lateral (select (n * interval '864 s') as ago) a where orden.id = ${first.id}`.execute(
        trx,
      );
    });
  await sql`analyze orden`.execute(ownerDatabase().db);
  const judged = await judgePromesas(db);
  const whole = await readPromesas(db);
  expect(judged.map(({ clave, juicio, dia }) => [clave, juicio, dia])).toEqual(
    whole.map(({ clave, juicio, dia }) => [clave, juicio, dia && { cuantas: dia.cuantas, cumplidas: dia.cumplidas }]),
  );
  expect(judged.find(({ clave }) => clave === 'venta')!.dia!.cuantas).toBeGreaterThan(95);
  expect(await rowsRead('orden', judgePromesas)).toBeLessThan(250);
});
