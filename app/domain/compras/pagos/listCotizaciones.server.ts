import { sql } from 'kysely';
import { z } from 'zod';
import { readRango, type Rango } from '~/core/list';
import { listFields, rangoFields } from '~/core/listFields';
import { addDays, civilDay, dayRange } from '~/core/time';
import { contains, defineList } from '~/platform/lists/list.server';
import { COLUMNAS, common, ordenesEnteras, rows, SORTS } from '~/domain/ventas/ordenes/listOrdenes.server';
import { FILTRO_LABEL, FILTROS } from './pago';

/** From the first day of the month before this one up to today. */
export function desdeElMesAnterior(now = new Date()): Rango {
  const hasta = civilDay(now);
  const ultimoAnterior = addDays(`${hasta.slice(0, 7)}-01`, -1);
  return { desde: `${ultimoAnterior.slice(0, 7)}-01`, hasta };
}

/** Whatever is called so: a payment by its folio or its tracking key, a quotation by its own, the supplier's order. */
const conFolio = (texto: string) => sql`
  select po.orden_id as id from pago p join pago_orden po on po.pago_id = p.id where lower(p.folio) = lower(${texto}) or upper(p.clave_rastreo) = upper(${texto})
  union select c.orden_id from cotizacion c where lower(c.folio) = lower(${texto})
  union select l.orden_id from pedido p join pedido_linea l on l.pedido_id = p.id where lower(p.folio_proveedor) = lower(${texto}) or lower(p.folio) = lower(${texto})`;

const conPago = sql<boolean>`exists (select from pago_orden po where po.orden_id = orden.id)`;

/** 'Cotizaciones': the sales of a range, and whether their supplier was paid. */
export const cotizacionesList = defineList({
  ...common,
  lista: 'cotizaciones',
  titulo: 'Cotizaciones',
  filtro: z
    .object({
      ...listFields(SORTS, '-fecha'),
      ...rangoFields,
      canceladas: z.enum(['', '1']).catch(''),
      pago: z.enum(FILTROS).catch('sinPago'),
    })
    .transform((fields) => ({ ...fields, ...readRango(fields, desdeElMesAnterior()) })),
  propios: {
    canceladas: () => 'Con canceladas',
    pago: (valor) => FILTRO_LABEL[valor as keyof typeof FILTRO_LABEL],
  },
  enteros: (entero) =>
    entero.clase === 'rfc' ? ordenesEnteras(entero) : sql`${ordenesEnteras(entero)} union ${conFolio(entero.texto)}`,
  matches(db, { q, desde, hasta, canceladas, pago }, enteros) {
    const ordenes = db.selectFrom('orden');
    if (enteros) return ordenes.where(sql<boolean>`orden.id in (${enteros})`);
    const { from, to } = dayRange(desde, hasta);
    return ordenes
      .where('orden.fechaCreacion', '>=', from)
      .where('orden.fechaCreacion', '<', to)
      .$if(canceladas === '', (vivas) =>
        vivas.where('orden.clase', 'not in', [sql.lit('cancelada' as const), sql.lit('devuelta' as const)]),
      )
      .$if(pago === 'pagado', (pagadas) => pagadas.where(conPago))
      .$if(pago === 'sinPago', (porPagar) => porPagar.where(sql<boolean>`not ${conPago}`))
      .$if(q !== '', (found) =>
        // Each by its own index: with an 'or' between them a year would be read whole.
        found.where(
          sql<boolean>`orden.id in (select o.id from orden o where o.fecha_creacion >= ${from} and o.fecha_creacion < ${to} and ${contains('o.busqueda', q)} union ${conFolio(q)})`,
        ),
      );
  },
  rows,
  totales: (ordenes) =>
    ordenes.select([
      sql<string>`coalesce(sum(${sql.ref('orden.pagado')}), 0)`.as('pagado'),
      sql<string>`coalesce(sum(${sql.ref('orden.facturado')}), 0)`.as('facturado'),
    ]),
  excel: {
    hoja: 'Cotizaciones',
    sufijo: ({ desde, hasta }) => `${desde} a ${hasta}`,
    columnas: [
      COLUMNAS.fecha,
      COLUMNAS.numero,
      COLUMNAS.envio,
      COLUMNAS.cotizacion,
      COLUMNAS.titulo,
      COLUMNAS.pagado,
      COLUMNAS.proveedor,
      COLUMNAS.facturado,
      { header: 'Pago', tipo: 'texto', ancho: 12, valor: (orden) => (orden.pagos > 0 ? 'Pagado' : 'Sin pago') },
    ],
  },
});
