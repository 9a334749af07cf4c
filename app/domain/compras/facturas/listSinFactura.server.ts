import { sql } from 'kysely';
import { z } from 'zod';
import { listFields } from '~/core/listFields';
import { monthRange } from '~/core/time';
import { contains, defineList } from '~/platform/lists/list.server';
import { CLASE_LABEL } from '~/domain/ventas/ordenes/orden';

const SORTS = ['fecha', 'orden', 'titulo', 'pagado'] as const;

/** Without a month there is nothing to show: 'Generar Reporte' asks for one. Cancelled sales are shown when asked for. */
const Filter = z.object({
  ...listFields(SORTS, '-fecha'),
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
  filtro: Filter,
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
    db
      .selectFrom('orden')
      .select([
        'orden.id',
        'orden.market',
        'orden.numOrden',
        'orden.fechaCreacion',
        'orden.titulo',
        'orden.pagado',
        'orden.clase',
        sql<
          string | null
        >`(select string_agg(distinct coalesce(p.label, a.proveedor), ', ') from articulo a left join proveedor p on p.value = lower(a.proveedor) where a.orden_id = ${sql.ref('orden.id')})`.as(
          'proveedores',
        ),
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
