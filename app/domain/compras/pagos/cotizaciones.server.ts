import { sql } from 'kysely';
import { Stale, NotAllowed } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import { readFila } from '~/domain/ventas/ordenes/listOrdenes.server';
import type { Db, Trx } from '~db/client.server';
import { archivosOfPagos } from './archivos.server';
import type { FolioDeCotizacion } from './pagoForm';

/** How many payments a folio is looked for in. */
const OFRECIDOS = 300;

/** A sale with its quotation, its payments and their files; null when there is none by that id. */
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

/** The folio that a person knows. What the supplier's own order says outranks it. */
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
