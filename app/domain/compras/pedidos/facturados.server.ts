import { sql } from 'kysely';
import type { Trx } from '~db/client.server';
import { movePedido } from './internal/movePedido.server';

/** The invoice of a supplier was written down for some sales: what was ordered of it for them is invoiced, also where the supplier never says so by itself. */
export async function noteFacturado(
  trx: Trx,
  { proveedor, folio }: { proveedor: string; folio: string },
  usuarioId: string,
): Promise<void> {
  const pedidos = await trx
    .selectFrom('pedido')
    .innerJoin('pedidoLinea', 'pedidoLinea.pedidoId', 'pedido.id')
    .innerJoin('proveedorFactura', (join) =>
      join
        .onRef('proveedorFactura.ordenId', '=', 'pedidoLinea.ordenId')
        .onRef('proveedorFactura.proveedor', '=', 'pedido.proveedor'),
    )
    .leftJoin('proveedorCfdi', 'proveedorCfdi.id', 'proveedorFactura.cfdiId')
    .where('pedido.proveedor', '=', proveedor)
    .where('proveedorFactura.folio', '=', folio)
    .where('pedido.estado', '=', 'confirmado')
    .select(['pedido.id', 'pedido.guiaEnviadaEn', 'proveedorCfdi.uuid'])
    .distinct()
    .execute();
  for (const { id, guiaEnviadaEn, uuid } of pedidos) {
    const set = { facturaFolio: folio, facturaUuid: uuid, facturaEn: sql<Date>`now()` };
    if ((await movePedido(trx, id, 'facturado', { usuarioId, set })) && guiaEnviadaEn !== null)
      await movePedido(trx, id, 'guiaEnviada', { usuarioId });
  }
}
