import { sql } from 'kysely';
import { z } from 'zod';
import { readRango } from '~/core/list';
import { listFields, rangoFields } from '~/core/listFields';
import { dayRange } from '~/core/time';
import { contains, defineList } from '~/platform/lists/list.server';
import { ordenesEnteras } from '~/domain/ventas/ordenes/listOrdenes.server';

const SORTS = ['fecha', 'proveedor', 'folio', 'monto'] as const;

const Filter = z
  .object({ ...listFields(SORTS, '-fecha'), ...rangoFields })
  .transform((fields) => ({ ...fields, ...readRango(fields) }));

/** Invoices that suppliers made out to us, each with the sale it belongs to. */
export const proveedorFacturasList = defineList({
  lista: 'facturasProveedores',
  titulo: 'Facturas de proveedores',
  filtro: Filter,
  id: 'proveedorFactura.id',
  idsGrow: true,
  enteros: (entero) =>
    entero.clase === 'numero'
      ? sql`select id from proveedor_factura where orden_id in (${ordenesEnteras(entero)})`
      : entero.clase === 'rfc'
        ? undefined
        : sql`select id from proveedor_factura where lower(folio) = lower(${entero.texto})`,
  sorts: {
    fecha: sql.ref('proveedorFactura.fechaCreacion'),
    proveedor: sql`${sql.ref('proveedorFactura.proveedor')} collate "C"`,
    folio: sql`lower(${sql.ref('proveedorFactura.folio')}) collate "C"`,
    monto: sql.ref('proveedorFactura.monto'),
  },
  matches(db, { q, desde, hasta }, enteros) {
    const { from, to } = dayRange(desde, hasta);
    const facturas = db.selectFrom('proveedorFactura');
    if (enteros) return facturas.where(sql<boolean>`proveedor_factura.id in (${enteros})`);
    return facturas
      .where('proveedorFactura.fechaCreacion', '>=', from)
      .where('proveedorFactura.fechaCreacion', '<', to)
      .$if(q !== '', (enRango) => enRango.where(contains('proveedorFactura.busqueda', q)));
  },
  rows: (db) =>
    db
      .selectFrom('proveedorFactura')
      .innerJoin('orden', 'orden.id', 'proveedorFactura.ordenId')
      .innerJoin('proveedor', 'proveedor.value', 'proveedorFactura.proveedor')
      .leftJoin('usuario', 'usuario.id', 'proveedorFactura.usuarioId')
      .select([
        'proveedorFactura.id',
        'proveedorFactura.fechaCreacion',
        'proveedorFactura.folio',
        'proveedorFactura.monto',
        'proveedorFactura.version',
        'proveedorFactura.cfdiId',
        'proveedor.label as proveedor',
        'proveedor.linkFactura',
        'proveedor.reglaFactura',
        'proveedor.sufijoFactura',
        'orden.numOrden',
        'orden.fechaCreacion as vendidaEn',
        'orden.market',
        'usuario.nombre',
        'usuario.apellidos',
      ]),
  totales: (facturas) =>
    facturas.select(sql<string>`coalesce(sum(${sql.ref('proveedorFactura.monto')}), 0)`.as('monto')),
  excel: {
    hoja: 'Facturas de proveedores',
    sufijo: ({ desde, hasta }) => `${desde} a ${hasta}`,
    columnas: [
      { header: 'Fecha de creación', tipo: 'fechaHora', valor: (factura) => factura.fechaCreacion },
      { header: 'Proveedor', tipo: 'texto', ancho: 18, valor: (factura) => factura.proveedor },
      { header: 'Folio', tipo: 'texto', ancho: 18, valor: (factura) => factura.folio },
      { header: 'Monto', tipo: 'pesos', ancho: 14, valor: (factura) => factura.monto },
      { header: 'No. Orden', tipo: 'texto', ancho: 20, valor: (factura) => factura.numOrden },
      { header: 'Nombre', tipo: 'texto', ancho: 20, valor: (factura) => factura.nombre },
      { header: 'Apellidos', tipo: 'texto', ancho: 24, valor: (factura) => factura.apellidos },
    ],
  },
});
