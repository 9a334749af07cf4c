import { sql } from 'kysely';
import { enPesos } from '~/core/importe';
import { contains } from '~/platform/lists/list.server';
import type { Buscador } from '~/platform/search/buscador';

/** Supplier invoices by folio, supplier or the number of their sale. */
export const buscarProveedorFacturas: Buscador = {
  clase: 'facturasProveedores',
  titulo: 'Facturas de proveedores',
  pantalla: 'facturasProveedores',
  async find(db, { texto, limite }) {
    const found = await db
      .selectFrom('proveedorFactura')
      .innerJoin('orden', 'orden.id', 'proveedorFactura.ordenId')
      .select([
        'proveedorFactura.id',
        'proveedorFactura.folio',
        'proveedorFactura.proveedorNombre',
        'proveedorFactura.monto',
        'proveedorFactura.fechaCreacion',
        'orden.numOrden',
      ])
      .where((eb) =>
        eb.or([
          sql<boolean>`lower(proveedor_factura.folio) = lower(${texto})`,
          contains('proveedorFactura.busqueda', texto),
        ]),
      )
      .orderBy('proveedorFactura.fechaCreacion', 'desc')
      .orderBy('proveedorFactura.id', 'desc')
      .limit(limite)
      .execute();
    return found.map(({ id, folio, proveedorNombre, monto, fechaCreacion, numOrden }) => ({
      id,
      titulo: folio,
      detalle: `${proveedorNombre} · ${enPesos(monto.toFixed(2))} · orden ${numOrden}`,
      fecha: fechaCreacion,
      a: `facturasProveedores?q=${encodeURIComponent(folio)}`,
    }));
  },
};
