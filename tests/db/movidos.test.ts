/** Triggers that compare what a statement wrote with what was there, over many rows and in a session that wrote single rows before. */
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../support/db';

/** One connection, as the reading process has: a function keeps the plan that a session made first. */
const { db } = openTestDatabase(undefined, { max: 1 });
const PRODUCTOS = 20_000;
/** Comparing each row with each takes far longer. */
const WITHIN_MS = 10_000;

beforeAll(async () => {
  await sql`insert into producto (proveedor, id_proveedor, en_venta, huella)
    select 'ct', 'P' || n, true, '' from generate_series(1, ${PRODUCTOS}::int) n`.execute(db);
  await sql`insert into oferta (producto_id, precio, moneda, existencia, tope, almacenes, promociones, raw, huella, leida_en)
    select id, 100, 'USD', 1, false, '[]', '[]', '{}', '', now() from producto`.execute(db);
  await sql`insert into publicacion (market, clave, producto_id, titulo, estatus, auto_sync)
    select 'ml', id::text, id, 'Publicación', 'active', true from producto`.execute(db);
});

const WHOLE = {
  'how fresh its products are': [sql`update producto set visto_hasta = now()`, 0],
  'which of them are gone': [sql`update producto set ausencias = 2, ausente_desde = now()`, PRODUCTOS],
  'the exchange rate': [sql`update oferta set tipo_cambio = 18.5`, PRODUCTOS],
  'what is in stock': [sql`update oferta set existencia = 0`, PRODUCTOS],
} as const;

test.each(Object.entries(WHOLE))(
  'a whole catalogue is told %s in one statement, after single rows too, and its listings hear of it',
  async (_, [update, moved]) => {
    await db.transaction().execute(async (trx) => {
      const uno = sql`(select id from producto where id_proveedor = 'P1')`;
      for (let n = 1; n <= 6; n++) {
        await sql`update producto set ausencias = ${n} where id = ${uno}`.execute(trx);
        await sql`update oferta set existencia = ${n + 1} where producto_id = ${uno}`.execute(trx);
      }
      await sql`delete from publicacion_mirar`.execute(trx);
      await sql`set local statement_timeout = ${sql.lit(WITHIN_MS)}`.execute(trx);
      await update.execute(trx);
      const { rows } = await sql<{ count: number }>`select count(*)::int from publicacion_mirar`.execute(trx);
      expect(rows[0]!.count).toBe(moved);
    });
  },
);

const VENTAS = 20_000;

test('the personal data of many sales leave in one statement, after single sales too', async () => {
  await sql`insert into envio (market, market_id, estatus, fecha_creacion, actualizado_en, nombre_receptor, datos)
    select 'ml', n::text, 'ready_to_ship', now(), now(), 'Nombre ' || n, '{}' from generate_series(1, ${VENTAS}::int) n`.execute(
    db,
  );
  await sql`insert into orden (market, market_id, num_orden, titulo, situacion, estatus, market_status, clase, fecha_creacion, actualizada_en, total, pagado_abs, datos, envio_id)
    select 'ml', market_id, market_id, 'Venta', 'pagada', 'enPreparacion', 'paid', 'normal', now(), now(), 10, 10, '{}', id from envio`.execute(
    db,
  );
  await db.transaction().execute(async (trx) => {
    const una = sql`(select id from orden where market_id = '1')`;
    for (let n = 1; n <= 6; n++) {
      await sql`update orden set liquidado = ${n}, version = version + 1 where id = ${una}`.execute(trx);
      await sql`update envio set telefono = ${String(n)} where market_id = '1'`.execute(trx);
    }
    await sql`set local statement_timeout = ${sql.lit(WITHIN_MS)}`.execute(trx);
    await sql`update orden set comprador = null`.execute(trx);
    await sql`update envio set datos = '{}'`.execute(trx);
  });
});
