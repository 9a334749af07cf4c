import { sql, type RawBuilder } from 'kysely';
import type { Db, Trx } from '~db/client.server';

/**
 * One sale, two facturas that stand: a receiver, or the SAT, did not let the replaced one be cancelled. No claim can show it, since the sale is
 * the new one's. One whose sale a credit note took back charges nothing any more.
 */
const otras = (factura: string) => sql`from factura_orden a join factura_orden b on b.orden_id = a.orden_id and b.factura_id <> a.factura_id
    join factura otra on otra.id = b.factura_id and otra.tipo = 'individual' and otra.estatus = 'vigente'
  where a.factura_id = ${sql.ref(`${factura}.id`)} and ${sql.ref(`${factura}.tipo`)} = 'individual' and ${sql.ref(`${factura}.estatus`)} = 'vigente'
    and not exists (select from nota_credito_orden n where n.orden_id = a.orden_id and n.factura_id in (a.factura_id, b.factura_id))`;

/** The folio of the other one, of a row of `factura`; null nearly always. */
export function folioDeOtraVigente(factura: string): RawBuilder<string | null> {
  return sql<string | null>`(select otra.serie || '-' || otra.folio ${otras(factura)} order by otra.fecha_timbrado limit 1)`;
}

export type OtraVigente = { id: string; folio: string; /** This one is the older: the one that had to be cancelled. */ sobra: boolean };

export async function otraVigenteDe(db: Db | Trx, facturaId: string): Promise<OtraVigente | null> {
  const { rows } = await sql<OtraVigente>`
    select otra.id, otra.serie || '-' || otra.folio as folio, factura.fecha_timbrado <= otra.fecha_timbrado and factura.id < otra.id as sobra
    from factura cross join lateral (select otra.* ${otras('factura')} order by otra.fecha_timbrado limit 1) otra where factura.id = ${facturaId}`.execute(db);
  return rows[0] ?? null;
}

export type PorAtender = { id: string; folio: string; motivo: 'dosVigentes' | 'sinNoticia'; /** Of two, the one that stays. */ otra: string | null };
/** More than these are a list, not a notice. */
const MOST = 20;

/** What of all corrections waits for people: facturas that were replaced and stand, requests of cancellation that the SAT knows nothing of. */
export async function facturasPorAtender(db: Db, diasSinNoticia: number): Promise<PorAtender[]> {
  const { rows } = await sql<PorAtender>`
    select vieja.id, vieja.serie || '-' || vieja.folio as folio, 'dosVigentes' as motivo, nueva.serie || '-' || nueva.folio as otra
      from factura nueva cross join lateral (select otra.* ${otras('nueva')} and otra.fecha_timbrado <= nueva.fecha_timbrado and otra.id < nueva.id limit 1) vieja
      where nueva.sustituye_id is not null and nueva.estatus = 'vigente'
    union all
    select f.id, f.serie || '-' || f.folio, 'sinNoticia', null
      from cancelacion c join factura f on f.id = c.factura_id
      where c.estado = 'enProceso' and c.revisada_en > coalesce(c.vista_en, c.pedida_en) + make_interval(days => ${diasSinNoticia})
    order by 1 limit ${MOST}`.execute(db);
  return rows;
}
