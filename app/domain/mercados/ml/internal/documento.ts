import { z } from 'zod';
import { Money } from '~/core/money';
import { tableOf } from '~/core/table';
import { readInstant } from '~/core/time';
import { situacionOf } from './pagos';
import type { DetalleDeDocumento, LugarDeArticulo, PagoDeDocumento } from '~/domain/mercados/venta';

/** An amount of a document: Mercado Libre writes JSON numbers of pesos. */
const Pesos = z
  .number()
  .transform((pesos) => Money.ofJsonNumber(pesos))
  .nullish()
  .transform((pesos) => pesos ?? null);
const Instante = z
  .string()
  .nullish()
  .catch(null)
  .transform((text) => (text ? readInstant(text) : null));
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
  total_paid_amount: Pesos.catch(null),
  date_approved: Instante,
  date_created: Instante,
  date_last_modified: Instante,
});

const Numero = z
  .union([z.string().min(1), z.number().transform(String)])
  .nullish()
  .catch(null)
  .transform((numero) => numero ?? null);
const Lugar = z.object({ store_id: Numero, network_node_id: Numero });
/** A line with the places of its pieces. The vendor's samples tell one place, or a list. */
const Renglon = z
  .object({
    stock: z
      .union([z.array(Lugar), Lugar.transform((one) => [one])])
      .nullish()
      .catch(null),
  })
  .catch({ stock: null });

/** The parts of a document that its dialog shows. A part of another shape is not shown. */
const Datos = z
  .object({
    payments: z.array(z.unknown()).nullish().catch(null),
    order_items: z.array(Renglon).nullish().catch(null),
    cancel_detail: z
      .object({ code: Texto, description: Texto, requested_by: Texto, date: Instante })
      .nullish()
      .catch(null),
  })
  .catch({ payments: null, order_items: null, cancel_detail: null });

/** The reasons of a cancellation by their code. Mercado Libre describes them in English only; another code keeps its description. */
const MOTIVO = tableOf({
  buyer_cancel_express: 'El comprador la canceló',
  mediations: 'Se canceló en un reclamo',
  shipment_not_delivered: 'El envío no se entregó',
  undispatched_order: 'No se despachó a tiempo',
  pack_splitted: 'El carrito se dividió y otras ordenes la reemplazan',
});

function pagosOf(payments: readonly unknown[]): PagoDeDocumento[] {
  return payments.flatMap((payment) => {
    const { success, data } = Pago.safeParse(payment);
    if (!success) return [];
    const monto = (data.transaction_amount ?? Money.zero).plus(data.shipping_cost ?? Money.zero);
    return [
      {
        id: data.id,
        estatus: data.status,
        situacion: situacionOf(data.status ?? ''),
        medio: data.payment_type,
        metodo: data.payment_method_id,
        adicional: data.operation_type === 'payment_addition',
        monto,
        conIntereses: data.total_paid_amount ?? monto,
        devuelto: data.transaction_amount_refunded ?? Money.zero,
        aprobadoEn: data.date_approved,
        modificadoEn: data.date_last_modified ?? data.date_created,
      },
    ];
  });
}

const lugaresOf = (renglones: readonly z.output<typeof Renglon>[]): LugarDeArticulo[] =>
  renglones.flatMap(({ stock }, posicion) =>
    (stock ?? [])
      .map(({ store_id: tienda, network_node_id: nodo }) => ({ posicion, tienda, nodo }))
      .filter(({ tienda, nodo }) => tienda !== null || nodo !== null),
  );

/** Returns what a sale's dialog shows of its kept document: payments, places of the pieces, and why the sale was cancelled. */
export function readDocumentoMl(documento: unknown): DetalleDeDocumento {
  const { payments, order_items: renglones, cancel_detail: cancelacion } = Datos.parse(documento);
  return {
    pagos: pagosOf(payments ?? []),
    lugares: lugaresOf(renglones ?? []),
    cancelacion: cancelacion
      ? {
          motivo: MOTIVO[cancelacion.code ?? ''] ?? cancelacion.description,
          quien: cancelacion.requested_by,
          fecha: cancelacion.date,
        }
      : null,
  };
}
