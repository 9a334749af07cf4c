import { sql } from 'kysely';
import { z } from 'zod';
import { readRango } from '~/core/list';
import { listFields, rangoFields } from '~/core/listFields';
import { dayRange, monthRange } from '~/core/time';
import { contains, defineList } from '~/platform/lists/list.server';
import { ordenesEnteras } from '~/domain/ventas/ordenes/listOrdenes.server';
import { CLASE_LABEL } from '~/domain/ventas/ordenes/orden';

const FACTURAS_SORTS = ['fecha', 'proveedor', 'folio', 'monto'] as const;

const FacturasFilter = z
  .object({ ...listFields(FACTURAS_SORTS, '-fecha'), ...rangoFields })
  .transform((fields) => ({ ...fields, ...readRango(fields) }));

/** 'Facturas de proveedores': the invoices that suppliers made out to us, each with its sale. */
export const proveedorFacturasList = defineList({
  lista: 'facturasProveedores',
  titulo: 'Facturas de proveedores',
  filtro: FacturasFilter,
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
        'proveedorFactura.proveedor',
        'proveedor.label as proveedorLabel',
        'proveedorFactura.ordenId',
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
      { header: 'Proveedor', tipo: 'texto', ancho: 18, valor: (factura) => factura.proveedorLabel },
      { header: 'Folio', tipo: 'texto', ancho: 18, valor: (factura) => factura.folio },
      { header: 'Monto', tipo: 'pesos', ancho: 14, valor: (factura) => factura.monto },
      { header: 'No. Orden', tipo: 'texto', ancho: 20, valor: (factura) => factura.numOrden },
      { header: 'Nombre', tipo: 'texto', ancho: 20, valor: (factura) => factura.nombre },
      { header: 'Apellidos', tipo: 'texto', ancho: 24, valor: (factura) => factura.apellidos },
    ],
  },
});

const SIN_FACTURA_SORTS = ['fecha', 'orden', 'titulo', 'pagado'] as const;

/** Filter by month. Without a month the list is empty ('Generar Reporte' asks for one). Cancelled sales are left out unless asked for. */
const SinFacturaFilter = z.object({
  ...listFields(SIN_FACTURA_SORTS, '-fecha'),
  mes: z
    .string()
    .regex(/^20\d{2}-(0[1-9]|1[0-2])$/)
    .catch(''),
  canceladas: z.literal('1').optional().catch(undefined),
});

/** 'rFacturacionGeneral': the sales of a month that no supplier invoice covers. */
export const sinFacturaList = defineList({
  lista: 'rFacturacionGeneral',
  titulo: 'Ordenes sin factura de proveedor',
  filtro: SinFacturaFilter,
  id: 'orden.id',
  idsGrow: true,
  sorts: {
    fecha: sql.ref('orden.fechaCreacion'),
    orden: sql`${sql.ref('orden.numOrden')} collate "C"`,
    titulo: sql.ref('orden.titulo'),
    pagado: sql.ref('orden.pagado'),
  },
  matches(db, { q, mes, canceladas }) {
    if (mes === '') return db.selectFrom('orden').where(sql<boolean>`false`);
    const { from, to } = monthRange(mes);
    return db
      .selectFrom('orden')
      .where('orden.fechaCreacion', '>=', from)
      .where('orden.fechaCreacion', '<', to)
      .where('orden.facturasProveedor', '=', sql.lit(0))
      .$if(canceladas === undefined, (ordenes) => ordenes.where('orden.estatus', '<>', sql.lit('cancelado')))
      .$if(q !== '', (ordenes) => ordenes.where(contains('orden.busqueda', q)));
  },
  rows: (db) =>
    db.selectFrom('orden').select([
      'orden.id',
      'orden.market',
      'orden.numOrden',
      'orden.fechaCreacion',
      'orden.titulo',
      'orden.pagado',
      'orden.clase',
      sql<string | null>`(
          select string_agg(distinct coalesce(p.label, a.proveedor), ', ')
          from articulo a left join proveedor p on p.value = lower(a.proveedor)
          where a.orden_id = ${sql.ref('orden.id')})`.as('proveedores'),
    ]),
  totales: (ordenes) => ordenes.select(sql<string>`coalesce(sum(${sql.ref('orden.pagado')}), 0)`.as('pagado')),
  excel: {
    hoja: 'Sin factura de proveedor',
    sufijo: ({ mes }) => mes,
    columnas: [
      { header: 'Fecha', tipo: 'fechaHora', valor: (orden) => orden.fechaCreacion },
      { header: 'No. Orden', tipo: 'texto', ancho: 20, valor: (orden) => orden.numOrden },
      { header: 'Título', tipo: 'texto', ancho: 60, valor: (orden) => orden.titulo },
      { header: 'Proveedor', tipo: 'texto', ancho: 18, valor: (orden) => orden.proveedores },
      { header: 'Monto Pagado', tipo: 'pesos', ancho: 14, valor: (orden) => orden.pagado },
      { header: 'Clase', tipo: 'texto', ancho: 16, valor: (orden) => CLASE_LABEL[orden.clase] },
    ],
  },
});
