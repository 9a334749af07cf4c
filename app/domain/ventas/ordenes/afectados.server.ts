import { sql } from 'kysely';
import { civilDay } from '~/core/time';
import type { Db, Trx } from '~db/client.server';
import type { Afectados, Documento } from './afectados';

/**
 * Returns what a change to the cost of a sale's shipment leaves as it is, and what it moves. A shipment's cost lies on one sale (trigger
 * `share_costo_envio`).
 */
export async function afectadosOfCosto(db: Db | Trx, ordenId: string): Promise<Afectados> {
  const deEnvio = await db
    .selectFrom('orden')
    .where((is) =>
      is.or([
        is('id', '=', ordenId),
        is('envioId', '=', is.selectFrom('orden').select('envioId').where('id', '=', ordenId)),
      ]),
    )
    .leftJoin('libroVenta', 'libroVenta.ordenId', 'orden.id')
    .select(['id', 'numOrden', 'fechaCreacion', 'clase', 'queda'])
    .orderBy('marketId')
    .execute();
  const carga = deEnvio.find(({ clase }) => clase !== 'cancelada' && clase !== 'devuelta');
  return {
    documentos: await documentosOf(
      db,
      deEnvio.map(({ id }) => id),
    ),
    conGanancia: carga?.queda == null ? [] : [conMes(carga)],
  };
}

const conMes = ({ numOrden, fechaCreacion }: { numOrden: string; fechaCreacion: Date }) => ({
  numOrden,
  mes: civilDay(fechaCreacion).slice(0, 7),
});

/** Returns the standing documents of some sales, the newest first. */
async function documentosOf(db: Db | Trx, ordenIds: readonly string[]): Promise<Documento[]> {
  if (ordenIds.length === 0) return [];
  const ids = sql`${[...ordenIds]}::uuid[]`;
  const { rows } = await sql<Documento>`
    select tipo, serie || '-' || folio as folio from factura where estatus <> 'cancelada' and id in (
      select factura_id from factura_orden where orden_id = any (${ids})
      union select nota_id from nota_credito_orden where orden_id = any (${ids}) and nota_id is not null)
    order by fecha_timbrado desc, id`.execute(db);
  return rows;
}
