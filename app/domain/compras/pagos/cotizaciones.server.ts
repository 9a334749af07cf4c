import { sql } from 'kysely';
import { Stale, NotAllowed } from '~/core/errors';
import { rowOf } from '~/core/table';
import { record } from '~/platform/bitacora.server';
import { readFila, COLUMNAS, common, ordenesEnteras, rows, SORTS } from '~/domain/ventas/ordenes/listOrdenes.server';
import type { Db, Trx } from '~db/client.server';
import { archivosOfPagos } from './pagos.server';
import type { FolioDeCotizacion } from './forms';
import { z } from 'zod';
import { readRango } from '~/core/list';
import { listFields, rangoFields } from '~/core/listFields';
import { dayRange } from '~/core/time';
import { contains, defineList } from '~/platform/lists/list.server';
import { desdeElMesAnterior, FILTRO_LABEL, FILTROS } from './pago';

/** Number of recent payments among which a folio is offered. */
const OFRECIDOS = 300;

/** Returns a sale with its quotation, its payments and their files; null when there is no such sale. */
export async function readCotizacion(db: Db | Trx, ordenId: string) {
  const orden = await readFila(db, ordenId);
  if (!orden) return null;
  const [escrita, pagos, facturas, articulos, proveedores, ofrecidos] = await Promise.all([
    db.selectFrom('cotizacion').select(['folio', 'version']).where('ordenId', '=', ordenId).executeTakeFirst(),
    db
      .selectFrom('pagoOrden')
      .innerJoin('pago', 'pago.id', 'pagoOrden.pagoId')
      .innerJoin('proveedor', 'proveedor.value', 'pago.proveedor')
      .leftJoin('usuario', 'usuario.id', 'pago.usuarioId')
      .select([
        'pago.id',
        'pago.folio',
        'pago.fecha',
        'pago.total',
        'pago.creadoEn',
        'proveedor.label as proveedorLabel',
        'usuario.usuario',
        sql<number>`(select count(*)::int from pago_orden otra where otra.pago_id = pago.id)`.as('ordenes'),
      ])
      .where('pagoOrden.ordenId', '=', ordenId)
      .orderBy('pago.creadoEn')
      .orderBy('pago.id')
      .execute(),
    db
      .selectFrom('proveedorFactura')
      .innerJoin('proveedor', 'proveedor.value', 'proveedorFactura.proveedor')
      .select(['proveedorFactura.id', 'proveedorFactura.folio', 'proveedorFactura.monto', 'proveedor.label'])
      .where('proveedorFactura.ordenId', '=', ordenId)
      .orderBy('proveedorFactura.fechaCreacion')
      .execute(),
    db
      .selectFrom('articulo')
      .select(sql<string | null>`lower(proveedor)`.as('proveedor'))
      .where('ordenId', '=', ordenId)
      .orderBy('posicion')
      .execute(),
    db.selectFrom('proveedor').select(['value', 'label']).where('activo', '=', true).orderBy('label').execute(),
    db
      .selectFrom('pago')
      .innerJoin('proveedor', 'proveedor.value', 'pago.proveedor')
      .select(['pago.folio', 'pago.proveedor', 'proveedor.label'])
      .orderBy('pago.creadoEn', 'desc')
      .orderBy('pago.id', 'desc')
      .limit(OFRECIDOS)
      .execute(),
  ]);
  const suyo = articulos.find(({ proveedor }) => proveedores.some(({ value }) => value === proveedor))?.proveedor;
  return {
    ...orden,
    delPedido: orden.cotizacion !== null && orden.cotizacion !== escrita?.folio,
    escrita: { folio: escrita?.folio ?? null, version: escrita?.version ?? 0 },
    lasPagan: pagos,
    archivos: await archivosOfPagos(
      db,
      pagos.map(({ id }) => id),
    ),
    facturas,
    proveedores,
    suProveedor: suyo ?? null,
    ofrecidos,
  };
}

/**
 * Keeps the folio of a quotation that a person knows. The folio of the supplier's own order outranks it. Throws `Stale` when somebody wrote another
 * one meanwhile, and `NotAllowed` when the sale is gone.
 */
export async function noteCotizacion(
  trx: Trx,
  { ordenId, folio, version }: FolioDeCotizacion,
  usuarioId: string,
): Promise<void> {
  const orden = await trx.selectFrom('orden').select('id').where('id', '=', ordenId).forUpdate().executeTakeFirst();
  if (!orden) throw new NotAllowed('Error de actualización.', 'La orden no existe.');
  const antes = await trx
    .selectFrom('cotizacion')
    .select(['folio', 'version'])
    .where('ordenId', '=', ordenId)
    .forUpdate()
    .executeTakeFirst();
  if ((antes?.version ?? 0) !== version)
    throw new Stale({
      cambios: [{ campo: 'Cotización', mio: folio ?? 'sin folio', suyo: antes?.folio ?? 'sin folio' }],
      marcas: { version: antes?.version ?? 0 },
    });
  if ((antes?.folio ?? null) === folio) return;
  await trx
    .insertInto('cotizacion')
    .values({ ordenId, folio, usuarioId, version: version + 1 })
    .onConflict((conflict) => conflict.column('ordenId').doUpdateSet({ folio, usuarioId, version: version + 1 }))
    .execute();
  await record(trx, {
    usuarioId,
    entidad: 'orden',
    entidadId: ordenId,
    accion: 'anotar cotización',
    datos: { folio, antes: antes?.folio ?? null },
  });
}

/** Sales found by a folio: of a payment (or its tracking key), of a quotation, or of the supplier's order. */
const conFolio = (texto: string) => sql`
  select po.orden_id as id from pago p join pago_orden po on po.pago_id = p.id
    where lower(p.folio) = lower(${texto}) or upper(p.clave_rastreo) = upper(${texto})
  union select c.orden_id from cotizacion c where lower(c.folio) = lower(${texto})
  union select l.orden_id from pedido p join pedido_linea l on l.pedido_id = p.id
    where lower(p.folio_proveedor) = lower(${texto}) or lower(p.folio) = lower(${texto})`;

const conPago = sql<boolean>`exists (select from pago_orden po where po.orden_id = orden.id)`;

/** The sales of a range, and whether their supplier was paid. */
const ordenesPorPago = (lista: string, titulo: string) =>
  defineList({
    ...common,
    lista,
    titulo,
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
      pago: (valor) => rowOf(FILTRO_LABEL, valor) ?? valor,
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
          // Each half uses its own index. With an `or` between them a year would be read row by row.
          found.where(
            sql<boolean>`orden.id in (
            select o.id from orden o
            where o.fecha_creacion >= ${from} and o.fecha_creacion < ${to} and ${contains('o.busqueda', q)}
            union ${conFolio(q)})`,
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
      hoja: titulo,
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

/** 'Cotizaciones': the sales, with the quotation of each. */
export const cotizacionesList = ordenesPorPago('cotizaciones', 'Cotizaciones');
/** The same sales on 'Pagos a proveedores', beside the list of payments. */
export const ordenesDePagosList = ordenesPorPago('pagosProveedores.ordenes', 'Ordenes por pagar');
