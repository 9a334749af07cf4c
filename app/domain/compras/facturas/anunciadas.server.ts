import { sql } from 'kysely';
import { Stale } from '~/core/errors';
import { enPesos } from '~/core/importe';
import type { Money } from '~/core/money';
import { ZONA_HORARIA } from '~/core/time';
import type { Db, Trx } from '~db/client.server';
import { noteFacturado } from '~/domain/compras/pedidos/pedidos.server';
import { MAX_ELEGIBLES, type FacturaElegida } from './forms';
import { createProveedorFactura } from './proveedorFacturas.server';

type Anunciada = {
  /** Id of the pedido. */
  id: string;
  proveedor: string;
  label: string;
  folio: string;
  monto: Money;
  /** Day on which the supplier said that it invoiced. */
  emitida: string;
  ordenId: string;
  numOrden: string;
};

/**
 * Returns the invoices in pesos that suppliers announced for pedidos of a single sale, the oldest first, where nobody added an invoice of that supplier to
 * the sale. One that was added under another folio is no second invoice.
 */
export async function readAnunciadas(db: Db | Trx, pedidos: readonly string[] | null = null): Promise<Anunciada[]> {
  const { rows } = await sql<Anunciada>`
    select p.id, p.proveedor, v.label, p.factura_folio as folio, p.factura_total as monto, o.id as "ordenId", o.num_orden as "numOrden",
      (coalesce(p.factura_en, p.creado_en) at time zone ${ZONA_HORARIA})::date as emitida
    from pedido p
      join proveedor v on v.value = p.proveedor
      join lateral (select (array_agg(distinct l.orden_id))[1] as orden_id from pedido_linea l
        where l.pedido_id = p.id having count(distinct l.orden_id) = 1) linea on true
      join orden o on o.id = linea.orden_id
    where not p.facturado_aqui and p.factura_folio is not null and p.factura_total > 0 and p.factura_moneda = 'MXN'
      and p.estado not in ('cancelado', 'rechazado', 'vencido')
      and (${pedidos}::uuid[] is null or p.id = any(${pedidos}))
    order by p.factura_en, p.id
    limit ${MAX_ELEGIBLES}`.execute(db);
  return rows;
}

/**
 * Adds the chosen announced invoices, all or none, and returns them. Throws `Stale` when one is no longer announced as the screen showed it, and like
 * `createProveedorFactura`.
 */
export async function addAnunciadas(
  trx: Trx,
  elegidas: readonly FacturaElegida[],
  usuarioId: string,
): Promise<Anunciada[]> {
  const ids = elegidas.map(({ id }) => id);
  // Two people who press at once add each invoice once.
  await sql`select from pedido where id = any(${ids}::uuid[]) order by id for update`.execute(trx);
  const hay = new Map((await readAnunciadas(trx, ids)).map((una) => [una.id, una]));
  const movidas = elegidas.filter(({ id, falta }) => !hay.get(id)?.monto.equals(falta));
  if (movidas.length > 0)
    throw new Stale({
      cambios: movidas.map(({ id, falta }) => ({
        campo: hay.get(id)?.folio ?? 'Factura anunciada',
        mio: enPesos(falta.toFixed(2)),
        suyo: hay.has(id) ? enPesos(hay.get(id)!.monto.toFixed(2)) : 'ya agregada',
      })),
      marcas: {},
    });
  const anunciadas = [...hay.values()];
  for (const { proveedor, folio, monto, ordenId, emitida } of anunciadas) {
    await createProveedorFactura(trx, { proveedor, folio, monto: monto.toFixed(2), ordenId, emitida }, usuarioId);
    await noteFacturado(trx, { proveedor, folio }, usuarioId);
  }
  return anunciadas;
}
