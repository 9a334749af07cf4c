import { Money } from '~/core/money';
import type { PagoLeido } from '~/domain/mercados/venta';
import type { Clase } from './orden';

const gross = ({ importe, envio }: PagoLeido) => importe.plus(envio);
const approved = (pagos: readonly PagoLeido[]) => pagos.filter(({ situacion }) => situacion === 'aprobado');
const credited = (pagos: readonly PagoLeido[]) => pagos.filter(({ situacion }) => situacion !== 'sinEfecto');

/**
 * What the buyer paid, shipping and later additions included. For a sale that stands: the approved payments minus what was given back.
 * For one that ended: what had been paid, whatever became of it, which is the amount that was cancelled.
 */
export function pagadoOf(pagos: readonly PagoLeido[], clase: Clase): Money {
  if (clase === 'cancelada' || clase === 'devuelta') return Money.sum(credited(pagos).map(gross));
  return Money.sum(approved(pagos).map((pago) => gross(pago).minus(pago.devuelto)));
}

/** Shipping charged afterwards, with a payment of its own. */
export const envioAdicional = (pagos: readonly PagoLeido[]) =>
  Money.sum(
    approved(pagos)
      .filter(({ concepto }) => concepto === 'adicional')
      .map(({ importe }) => importe),
  );

/** What the buyer paid for shipping as the payments tell it: the fallback when the shipment's own costs are silent or zero. */
export function cobradoSegunPagos(pagos: readonly PagoLeido[]): Money | null {
  const inside = Money.sum(
    approved(pagos)
      .filter(({ concepto }) => concepto === 'venta')
      .map(({ envio }) => envio),
  );
  if (!inside.isZero()) return inside;
  const added = envioAdicional(pagos);
  return added.isZero() ? null : added;
}

/** Of the payment that paid most among those that put money on the sale, or of the only attempt there is. */
export function medioPagoOf(pagos: readonly PagoLeido[]): { medioPago: string | null; formaPago: string | null } {
  const counted = credited(pagos);
  const [most] = [...(counted.length > 0 ? counted : pagos)].sort((a, b) => gross(b).compare(gross(a)));
  return { medioPago: most?.medio ?? null, formaPago: most?.formaPago ?? null };
}

export const hasApproved = (pagos: readonly PagoLeido[]) => approved(pagos).length > 0;
