import { sql } from 'kysely';
import { contains } from '~/platform/lists/list.server';
import { documentosFijos, NOMBRADOS, type Documento } from '~/domain/ventas/ordenes/afectados';
import type { Db, Trx } from '~db/client.server';

/** What a correction of a client leaves as it is, in a sentence; null when nothing was stamped to it. */
export async function documentosOfCliente(
  db: Db | Trx,
  { rfc, uid }: { rfc: string; uid: string | null },
): Promise<string | null> {
  if (uid === null) return null;
  const { rows } = await sql<Documento & { total: number }>`
    select tipo, serie || '-' || folio as folio, count(*) over ()::int as total from factura
    where ${contains('factura.busqueda', rfc)} and rfc = ${rfc} and receptor_uid = ${uid} and estatus <> 'cancelada'
    order by fecha_timbrado desc, id limit ${NOMBRADOS}`.execute(db);
  const fijos = documentosFijos('Este cliente', rows, rows[0]?.total);
  return fijos && `${fijos} Las notas de crédito que se emitan después llevan los datos nuevos.`;
}
