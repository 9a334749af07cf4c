import { sql } from 'kysely';
import type { Db, Trx } from '~db/client.server';

/** The factura a credit note takes back from; it stays true when the note is cancelled. */
export async function origenOfNota(db: Db | Trx, notaId: string): Promise<{ id: string; folio: string; uuid: string }> {
  const { rows } = await sql<{ id: string; folio: string; uuid: string }>`
    select f.id, f.serie || '-' || f.folio as folio, f.uuid
    from factura n join factura f on f.id = n.origen_id where n.id = ${notaId}`.execute(db);
  if (!rows[0]) throw new Error(`the credit note ${notaId} does not name its factura`);
  return rows[0];
}

/** The credit notes of a factura that stand, newest first, so many at most. */
export async function notasOf(
  db: Db | Trx,
  facturaId: string,
  limit: number,
): Promise<{ id: string; folio: string }[]> {
  const { rows } = await sql<{ id: string; folio: string }>`
    select distinct f.id, f.serie || '-' || f.folio as folio from nota_credito_orden n join factura f on f.id = n.nota_id
    where n.factura_id = ${facturaId} and f.estatus <> 'cancelada' order by f.id desc limit ${limit}`.execute(db);
  return rows;
}
