import { sql } from 'kysely';
import { log } from '~/core/log.server';
import type { Market } from '~/core/market';
import type { Db, Trx } from '~db/client.server';

/** Sales that one transaction reckons. */
const LOTE = 500;

/**
 * Posts what moved in the money of some sales to their ledgers, and their sums. Triggers do so for every row that names its sale; this is for what a sale
 * follows without a row of its own. A second call writes nothing. Takes the locks of the ledgers: rows of `orden` and `pedido` are locked before.
 */
export async function postLibros(trx: Db | Trx, ordenIds: readonly string[]): Promise<void> {
  if (ordenIds.length > 0) await sql`select libro_asentar(${[...ordenIds]}::uuid[])`.execute(trx);
}

/**
 * Reckons the sales that were here before the ledger, or before a part of it, the newest first, and those whose estimate follows a rate (`market`) or a
 * typed cost (`sku`) that somebody changed. Each lot is a transaction of its own, so a run that ends early is taken up by the next one. Returns how many were
 * reckoned.
 */
export async function carryLibros(
  db: Db,
  { market, sku }: { market?: Market; sku?: string } = {},
  signal?: AbortSignal,
): Promise<number> {
  let carried = 0;
  const carry = async (ids: string[]) => {
    await postLibros(db, ids);
    carried += ids.length;
  };
  for (let ids = await sinCalculo(db); ids.length > 0 && !signal?.aborted; ids = await sinCalculo(db)) await carry(ids);
  const estimadas = [
    ...(market === undefined ? [] : await estimadasPorTasa(db, market)),
    ...(sku === undefined ? [] : await sinSaberDe(db, sku)),
  ];
  for (let at = 0; at < estimadas.length && !signal?.aborted; at += LOTE) await carry(estimadas.slice(at, at + LOTE));
  if (carried > 0) log.info('libros calculados', { ventas: carried });
  return carried;
}

async function sinCalculo(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select orden_id as id from libro_venta where comision is null order by orden_id desc limit ${LOTE}`.execute(db);
  return rows.map(({ id }) => id);
}

async function estimadasPorTasa(db: Db, market: Market): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.id from orden o join libro_venta l on l.orden_id = o.id
    where o.market = ${market} and l.estima && '{comision,retencion}' order by o.id desc`.execute(db);
  return rows.map(({ id }) => id);
}

/** Sales of a product whose profit is not known for good: a known one never moves by a cost that is typed later. */
async function sinSaberDe(db: Db, sku: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select l.orden_id as id from libro_venta l
    where l.certeza <> 'conocida' and l.orden_id in (select orden_id from articulo where lower(sku) = ${sku})
    order by l.orden_id desc`.execute(db);
  return rows.map(({ id }) => id);
}
