import { z } from 'zod';
import type { Db } from '~db/client.server';
import { readCfdisPropuestos } from './cfdis.server';
import { readFacturasOfOrden } from './proveedorFacturas.server';

const isId = (text: string) => z.uuid().safeParse(text).success;

/**
 * Returns the content of the dialog of a sale's supplier invoices: the invoices, the documents just read, and the one to edit. Undefined when there
 * is no such sale.
 */
export async function openFacturasOfOrden(
  db: Db,
  ordenId: string,
  { cfdis: ids, editar }: { cfdis: readonly string[]; editar: string | null },
) {
  const deOrden = isId(ordenId) ? await readFacturasOfOrden(db, ordenId) : undefined;
  if (!deOrden) return undefined;
  const [cfdis, dichas] = await Promise.all([
    readCfdisPropuestos(db, ids.filter(isId)),
    dichasPorProveedores(db, ordenId),
  ]);
  const editada = deOrden.facturas.find(({ id }) => id === editar) ?? null;
  return { ...deOrden, ordenId, cfdis, editada, dichas };
}

/** Invoices in pesos that suppliers announced for pedidos of this sale alone, and that nobody has added yet. */
function dichasPorProveedores(db: Db, ordenId: string) {
  return db
    .selectFrom('pedido')
    .select(['pedido.proveedor', 'pedido.facturaFolio as folio', 'pedido.facturaTotal as monto'])
    .where('pedido.facturaFolio', 'is not', null)
    .where('pedido.facturaTotal', 'is not', null)
    .where('pedido.facturaMoneda', '=', 'MXN')
    .where(({ exists, not, selectFrom }) =>
      exists(
        selectFrom('pedidoLinea')
          .select('pedidoLinea.posicion')
          .whereRef('pedidoLinea.pedidoId', '=', 'pedido.id')
          .where('pedidoLinea.ordenId', '=', ordenId),
      ).and(
        not(
          exists(
            selectFrom('pedidoLinea')
              .select('pedidoLinea.posicion')
              .whereRef('pedidoLinea.pedidoId', '=', 'pedido.id')
              .where('pedidoLinea.ordenId', '<>', ordenId),
          ),
        ),
      ),
    )
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('proveedorFactura')
            .select('proveedorFactura.id')
            .where('proveedorFactura.ordenId', '=', ordenId)
            .whereRef('proveedorFactura.proveedor', '=', 'pedido.proveedor')
            .whereRef('proveedorFactura.folio', '=', 'pedido.facturaFolio'),
        ),
      ),
    )
    .orderBy('pedido.numero')
    .execute();
}
