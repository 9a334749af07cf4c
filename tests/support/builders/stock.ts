import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { createDevolucion, receiveFactura } from '~/domain/compras/stock/piezas.server';
import { DevolucionForm } from '~/domain/compras/stock/forms';
import type { Db } from '~db/client.server';
import { vacuumAnalyze } from '../plans';

/** A file that a reader of PDF takes for one, and nothing more. */
export const unPdf = (texto = 'factura') =>
  new File([`%PDF-1.4 ${texto}`], `${texto}.pdf`, { type: 'application/pdf' });

/** A product of a supplier, as its catalogue told it. */
export async function buildProductoDeStock(db: Db, idProveedor: string = randomUUID()) {
  return db
    .insertInto('producto')
    .values({
      proveedor: 'syscom',
      idProveedor,
      modelo: `M-${idProveedor}`,
      nombre: `Pieza ${idProveedor}`,
      enVenta: true,
      huella: '-',
    })
    .returning(['id', 'idProveedor', 'modelo'])
    .executeTakeFirstOrThrow();
}

/** Pieces that came back, each with its folio. */
export async function buildPiezas(db: Db, usuarioId: string, given: Record<string, unknown> = {}) {
  const form = await receiveFactura(
    DevolucionForm.parse({
      clave: randomUUID(),
      cantidad: '1',
      costo: '100',
      proveedor: 'syscom',
      ...given,
    }),
  );
  await db.transaction().execute((trx) => createDevolucion(trx, form, usuarioId));
  return db
    .selectFrom('stockInterno')
    .innerJoin('stockAlta', 'stockAlta.id', 'stockInterno.altaId')
    .selectAll('stockInterno')
    .where('stockAlta.clave', '=', form.clave)
    .orderBy('numero')
    .execute();
}

/**
 * So many pieces of five suppliers over two years, made inside PostgreSQL: two of three left with a sale long ago, and what is on the shelf is of every state. By the
 * owner of the tables: their triggers and their search index would make them one by one.
 */
export async function seedStock(db: Db, cuantas: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local synchronous_commit = off`.execute(trx);
    await sql`alter table stock_interno disable trigger user`.execute(trx);
    await sql`alter table stock_movimiento disable trigger user`.execute(trx);
    await sql`drop index stock_interno_search`.execute(trx);
    await sql`with alta as (insert into stock_alta (clave) values (gen_random_uuid()) returning id)
      insert into stock_interno (anio, numero, alta_id, estado, descripcion, proveedor, costo, factura_folio, creada_en, busqueda)
      select 2020 + n / 400000, 1 + n % 400000, alta.id,
        case when n % 3 < 2 then 'vendido' else (array['enRevision', 'disponible', 'reservado', 'enGarantia', 'devueltoProveedor', 'danado', 'baja'])[1 + n / 3 % 7] end,
        'Cámara bala ' || n, (array['syscom', 'ct', 'tvc', 'ts', 'cva'])[1 + n % 5], 100 + n % 9000, case when n % 4 = 0 then 'F-' || n end,
        now() - (${cuantas}::int - n) * (interval '730 days' / ${cuantas}::int), f_norm('camara bala ' || n || ' ' || stock_folio_de((2020 + n / 400000)::smallint, 1 + n % 400000))
      from alta, generate_series(0, ${cuantas}::int - 1) n`.execute(trx);
    await sql`insert into stock_movimiento (pieza_id, a, en) select s.id, s.estado, s.creada_en from stock_interno s
      where not exists (select from stock_movimiento m where m.pieza_id = s.id)`.execute(trx);
    await sql`create index stock_interno_search on stock_interno using gin (busqueda gin_trgm_ops)`.execute(trx);
    await sql`alter table stock_interno enable trigger user`.execute(trx);
    await sql`alter table stock_movimiento enable trigger user`.execute(trx);
  });
  await vacuumAnalyze(db, 'stock_interno', 'stock_movimiento');
}
