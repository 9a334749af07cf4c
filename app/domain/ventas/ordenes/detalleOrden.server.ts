import { sql } from 'kysely';
import { z } from 'zod';
import { readDocumento } from '~/domain/mercados/registro.server';
import type { Db, Trx } from '~db/client.server';
import { nombresDeLugares } from './lugares.server';
import { ajenaOf, COLUMNAS_PROPIO, huellaOf } from './datosEnvio.server';

/** Payments of a cart for its shipping, as the shipment keeps them. */
const PagosDeEnvio = z
  .array(z.object({ id: z.string(), estatus: z.string(), importe: z.string() }))
  .nullable()
  .transform((pagos) => pagos ?? []);

/** Returns a sale as its dialog shows it; undefined when no sale has that id. */
export async function readOrden(db: Db | Trx, id: string) {
  if (!z.uuid().safeParse(id).success) return undefined;
  const orden = await db
    .selectFrom('orden')
    .where('orden.id', '=', id)
    .select([
      'id',
      'market',
      'marketId',
      'numOrden',
      'packId',
      'fechaCreacion',
      'estatus',
      'marketStatus',
      'situacion',
      'conservada',
      'clase',
      'meliResale',
      'titulo',
      'total',
      'pagado',
      'pagadoAbs',
      'comision',
      'retencion',
      'envioAdicional',
      'envioId',
      'envioPropio',
      'acordada',
      'comprador',
      'datos',
      'actualizadaEn',
    ])
    .select(sql<Date>`coalesce(orden.cambio_en, orden.actualizada_en)`.as('cambioEn'))
    .executeTakeFirst();
  if (!orden) return undefined;
  const { datos, envioId, ...resto } = orden;
  const { pagos, lugares, cancelacion } = readDocumento(orden.market, datos);
  const [articulos, envio, facturas, nombres] = await Promise.all([
    db
      .selectFrom('articulo')
      .leftJoin('proveedor', (join) =>
        join.on('proveedor.value', '=', ({ fn }) => fn<string>('lower', ['articulo.proveedor'])),
      )
      .where('articulo.ordenId', '=', id)
      .orderBy('posicion')
      .select([
        'posicion',
        'itemId',
        'nombre',
        'sku',
        'articulo.proveedor',
        'proveedor.label as proveedorLabel',
        'modelo',
        'cantidad',
        'precioUnitario',
        'importe',
        'comision',
      ])
      .execute(),
    envioId === null ? null : envioOf(db, envioId),
    facturasOf(db, id),
    nombresDeLugares(db, orden.market, lugares),
  ]);
  return {
    ...resto,
    articulos: articulos.map((articulo) => ({ ...articulo, lugares: nombres.get(articulo.posicion) ?? [] })),
    facturas,
    envio,
    pagos,
    cancelacion,
  };
}

export type OrdenWhole = NonNullable<Awaited<ReturnType<typeof readOrden>>>;

/** Returns the shipment of a sale with the mark of what people may change of it. */
async function envioOf(db: Db | Trx, envioId: string) {
  const envio = await db
    .selectFrom('envio')
    .where('id', '=', envioId)
    .select([
      'id',
      'marketId',
      'subestatus',
      'modo',
      'tipoLogistico',
      'propio',
      'cobrado',
      'costoComprador',
      'pagos',
      'fechaCreacion',
      'actualizadoEn',
      'direccionMercado',
      'direccionDifiere',
      ...COLUMNAS_PROPIO,
    ])
    .executeTakeFirst();
  if (!envio) return null;
  const { direccionMercado, direccionDifiere, pagos, ...resto } = envio;
  return {
    ...resto,
    pagos: PagosDeEnvio.parse(pagos),
    huella: huellaOf(envio),
    /** The address that the marketplace has now, where a person wrote another one and has not decided between the two. */
    ajena: ajenaOf({ direccionMercado, direccionDifiere }),
  };
}

/** Returns every document that was stamped for the sale, cancelled ones and credit notes included, the newest first. */
function facturasOf(db: Db | Trx, ordenId: string) {
  return db
    .selectFrom('factura')
    .leftJoin('usuario', 'usuario.id', 'factura.usuarioId')
    .where(
      'factura.id',
      'in',
      db
        .selectFrom('facturaOrden')
        .select('facturaId')
        .where('ordenId', '=', ordenId)
        .union(
          db
            .selectFrom('notaCreditoOrden')
            .select(sql<string>`nota_id`.as('facturaId'))
            .where('ordenId', '=', ordenId)
            .where('notaId', 'is not', null),
        ),
    )
    .orderBy('factura.fechaTimbrado', 'desc')
    .select([
      'factura.id',
      'factura.tipo',
      'factura.estatus',
      'factura.fechaTimbrado',
      'factura.rfc',
      'factura.razonSocial',
      'factura.total',
      'factura.uuid',
      'factura.effectId',
      'factura.canceladaEn',
      sql<string>`${sql.ref('factura.serie')} || '-' || ${sql.ref('factura.folio')}`.as('folio'),
    ])
    .execute();
}
