import { sql } from 'kysely';
import { z } from 'zod';
import { Money } from '~/core/money';
import type { Db, Trx } from '~db/client.server';
import { COLUMNAS_PROPIO, huellaOf } from './datosEnvio.server';

/** Amounts of a marketplace's document are JSON numbers of pesos. */
const Pesos = z
  .number()
  .transform((pesos) => Money.ofJsonNumber(pesos))
  .nullish()
  .transform((pesos) => pesos ?? null);
const Instante = z
  .string()
  .transform((text) => new Date(text))
  .refine((date) => !Number.isNaN(date.getTime()))
  .nullish()
  .catch(null)
  .transform((date) => date ?? null);
const Texto = z
  .string()
  .nullish()
  .catch(null)
  .transform((text) => text ?? null);

const Pago = z.object({
  id: z.union([z.number(), z.string()]).transform(String),
  status: Texto,
  operation_type: Texto,
  payment_type: Texto,
  payment_method_id: Texto,
  transaction_amount: Pesos,
  transaction_amount_refunded: Pesos,
  shipping_cost: Pesos,
  date_approved: Instante,
  date_created: Instante,
  date_last_modified: Instante,
});

/** What of the marketplace's document a person looks at; what does not fit is not shown. */
const Datos = z
  .object({
    payments: z.array(z.unknown()).nullish().catch(null),
    cancel_detail: z.object({ description: Texto, requested_by: Texto, date: Instante }).nullish().catch(null),
  })
  .catch({ payments: null, cancel_detail: null });

export type PagoDeOrden = {
  id: string;
  estatus: string | null;
  medio: string | null;
  metodo: string | null;
  adicional: boolean;
  monto: Money;
  devuelto: Money;
  aprobadoEn: Date | null;
  modificadoEn: Date | null;
};

function pagosOf(payments: readonly unknown[]): PagoDeOrden[] {
  return payments.flatMap((payment) => {
    const { success, data } = Pago.safeParse(payment);
    if (!success) return [];
    return [
      {
        id: data.id,
        estatus: data.status,
        medio: data.payment_type,
        metodo: data.payment_method_id,
        adicional: data.operation_type === 'payment_addition',
        monto: (data.transaction_amount ?? Money.zero).plus(data.shipping_cost ?? Money.zero),
        devuelto: data.transaction_amount_refunded ?? Money.zero,
        aprobadoEn: data.date_approved,
        modificadoEn: data.date_last_modified ?? data.date_created,
      },
    ];
  });
}

/** A sale whole, as its dialog shows it; undefined when there is none by that id. */
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
      'comprador',
      'datos',
      'actualizadaEn',
    ])
    .executeTakeFirst();
  if (!orden) return undefined;
  const { datos, envioId, ...resto } = orden;
  const { payments, cancel_detail: cancelacion } = Datos.parse(datos);
  const [articulos, envio, facturas] = await Promise.all([
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
    envioId === null
      ? undefined
      : db
          .selectFrom('envio')
          .where('id', '=', envioId)
          .select([
            'id',
            'marketId',
            'subestatus',
            'modo',
            'propio',
            'cobrado',
            'fechaCreacion',
            'actualizadoEn',
            ...COLUMNAS_PROPIO,
          ])
          .executeTakeFirst(),
    facturasOf(db, id),
  ]);
  return {
    ...resto,
    articulos,
    facturas,
    envio: envio ? { ...envio, huella: huellaOf(envio) } : null,
    pagos: pagosOf(payments ?? []),
    cancelacion: cancelacion ?? null,
  };
}

export type OrdenWhole = NonNullable<Awaited<ReturnType<typeof readOrden>>>;

/** Every document that was stamped for the sale, cancelled ones and credit notes included, newest first. */
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
