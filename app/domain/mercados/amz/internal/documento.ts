import { z } from 'zod';
import { InstanteEscrito } from '~/core/fields';
import type { Money } from '~/core/money';
import type { Order } from '~/integrations/amazon/wire';
import type { DetalleDeDocumento } from '~/domain/mercados/venta';
import type { Finanzas } from './finanzas';
import type { Importes } from './importes';

/**
 * Returns the document as it is kept: Amazon's own, the sums of its movements, how its prices were read, and its articles in the older shape
 * (`items.OrderItems`), whose keys are Amazon's.
 */
export function documentoOf(raw: unknown, order: Order, importes: Importes, finanzas: Finanzas | null): unknown {
  return {
    ...(raw as Record<string, unknown>),
    lectura: { precio: importes.lectura, cuadra: importes.cuadra },
    ...(finanzas && { finanzas }),
    items: { OrderItems: order.orderItems.map(orderItem) },
  };
}

const money = (amount: Money | null) => amount && { CurrencyCode: 'MXN', Amount: amount.toFixed(2) };

function orderItem({ orderItemId, quantityOrdered, product, proceeds, fulfillment }: Order['orderItems'][number]) {
  const parts = proceeds?.breakdowns ?? [];
  const part = (type: string) => parts.find((one) => one.type === type)?.subtotal ?? null;
  const tax = (subtype: string) =>
    parts.find(({ type }) => type === 'TAX')?.detailedBreakdowns.find((one) => one.subtype === subtype)?.value ?? null;
  return {
    OrderItemId: orderItemId,
    ASIN: product.asin,
    SellerSKU: product.sellerSku,
    Title: product.title,
    QuantityOrdered: quantityOrdered,
    QuantityShipped: fulfillment?.quantityFulfilled ?? 0,
    ItemPrice: money(part('ITEM')),
    ItemTax: money(tax('ITEM')),
    ShippingPrice: money(part('SHIPPING')),
    ShippingTax: money(tax('SHIPPING')),
  };
}

const Cancelacion = z
  .object({
    lastUpdatedTime: InstanteEscrito,
    orderItems: z.array(
      z.object({
        cancellation: z
          .object({
            cancellationExecution: z.object({ cancelledBy: z.string().nullish(), cancelReason: z.string().nullish() }),
          })
          .nullish()
          .catch(null),
      }),
    ),
  })
  .catch({ lastUpdatedTime: new Date(0), orderItems: [] });

/** Reads a kept document for the dialog of the sale. Amazon tells no payments of the buyer and no places, and tells who cancelled. */
export function readDocumentoAmz(documento: unknown): DetalleDeDocumento {
  const { orderItems, lastUpdatedTime } = Cancelacion.parse(documento);
  const done = orderItems.find(({ cancellation }) => cancellation)?.cancellation?.cancellationExecution;
  return {
    pagos: [],
    lugares: [],
    cancelacion: done
      ? { motivo: done.cancelReason ?? null, quien: done.cancelledBy?.toLowerCase() ?? null, fecha: lastUpdatedTime }
      : null,
  };
}
