import { sql, type RawBuilder } from 'kysely';
import type { Db, Trx } from '~db/client.server';

/**
 * One sale, two facturas that stand: a receiver, or the SAT, did not let the replaced one be cancelled. No claim can show it, since the sale is
 * the new one's. One whose sale a credit note took back charges nothing any more.
 */
export const otrasVigentes = (
  factura: string,
) => sql`from factura_orden a join factura_orden b on b.orden_id = a.orden_id and b.factura_id <> a.factura_id
    join factura otra on otra.id = b.factura_id and otra.tipo = 'individual' and otra.estatus = 'vigente'
  where a.factura_id = ${sql.ref(`${factura}.id`)} and ${sql.ref(`${factura}.tipo`)} = 'individual' and ${sql.ref(`${factura}.estatus`)} = 'vigente'
    and not exists (select from nota_credito_orden n where n.orden_id = a.orden_id and n.factura_id in (a.factura_id, b.factura_id))`;

/** The folio of the other one, of a row of `factura`; null nearly always. */
export function folioOfOtraVigente(factura: string): RawBuilder<string | null> {
  return sql<
    string | null
  >`(select otra.serie || '-' || otra.folio ${otrasVigentes(factura)} order by otra.fecha_timbrado limit 1)`;
}

export type OtraVigente = {
  id: string;
  folio: string;
  /** This one is the older: the one that had to be cancelled. */ sobra: boolean;
};

export async function otraVigenteOf(db: Db | Trx, facturaId: string): Promise<OtraVigente | null> {
  const { rows } = await sql<OtraVigente>`
    select otra.id, otra.serie || '-' || otra.folio as folio, factura.fecha_timbrado <= otra.fecha_timbrado and factura.id < otra.id as sobra
    from factura cross join lateral (select otra.* ${otrasVigentes('factura')} order by otra.fecha_timbrado limit 1) otra where factura.id = ${facturaId}`.execute(
    db,
  );
  return rows[0] ?? null;
}
