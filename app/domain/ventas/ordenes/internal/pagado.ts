import { Money } from '~/core/money';
import type { PagoLeido } from '~/domain/mercados/venta';
import type { Clase } from '../orden';

const isEnded = (clase: Clase) => clase === 'cancelada' || clase === 'devuelta';
const gross = ({ importe, envio }: PagoLeido) => importe.plus(envio);
const approved = (pagos: readonly PagoLeido[]) => pagos.filter(({ situacion }) => situacion === 'aprobado');
const credited = (pagos: readonly PagoLeido[]) => pagos.filter(({ situacion }) => situacion !== 'sinEfecto');

/**
 * Returns the amount that the buyer paid, in pesos, shipping and later additions included. A sale that stands counts its approved payments less the
 * money given back. A sale that ended counts every payment that ever put money on it, which is the amount that was cancelled.
 */
export function pagadoOf(pagos: readonly PagoLeido[], clase: Clase): Money {
  if (isEnded(clase)) return Money.sum(credited(pagos).map(gross));
  return Money.sum(approved(pagos).map((pago) => gross(pago).minus(pago.devuelto)));
}

/** Returns the shipping that was charged afterwards, with a payment of its own. */
export const envioAdicional = (pagos: readonly PagoLeido[]) =>
  Money.sum(
    approved(pagos)
      .filter(({ concepto }) => concepto === 'adicional')
      .map(({ importe }) => importe),
  );

/** Returns the shipping inside the payments that `pagadoOf` counts. */
export const envioEnPagos = (pagos: readonly PagoDeEnvio[], clase: Clase) =>
  Money.sum(
    pagos
      .filter(({ situacion }) => situacion === 'aprobado' || (isEnded(clase) && situacion === 'devuelto'))
      .filter(({ concepto }) => concepto === 'venta')
      .map(({ envio }) => envio),
  );

/** The fields of a payment that tell its shipping; a shipment keeps its payments in this shape. */
export type PagoDeEnvio = Pick<PagoLeido, 'situacion' | 'concepto' | 'envio'>;

/** One orden of those that travel together, as far as the shipping they paid is concerned. */
export type OrdenDeEnvio = {
  marketId: string;
  clase: Clase;
  packId: string | null;
  envioEnPagos: Money;
  envioAdicional: Money;
};

/**
 * Returns the amount that the buyer paid for one shipment (`cobrado`): inside the payments of its ordenes, or at the shipment that a cart shares, or else
 * afterwards. A payment that the marketplace tells in both places counts once. The rest that only the shipment tells (`carrito`) belongs to one orden
 * (`titular`): the first that stands, or the first of all when none does. `cobrado` is null while nobody told: of a cart, until its shipment did.
 */
export function envioPagado(
  ordenes: readonly OrdenDeEnvio[],
  delEnvio: readonly PagoDeEnvio[] | null,
): { cobrado: Money | null; carrito: Money; titular: string | null } {
  const sorted = ordenes.toSorted((a, b) => (a.marketId < b.marketId ? -1 : 1));
  const standing = sorted.filter(({ clase }) => !isEnded(clase));
  const counted = standing.length > 0 ? standing : sorted;
  const [first] = counted;
  if (!first) return { cobrado: null, carrito: Money.zero, titular: null };
  const inside = Money.sum(counted.map((orden) => orden.envioEnPagos));
  const apart = envioEnPagos(delEnvio ?? [], first.clase);
  const carrito = apart.compare(inside) > 0 ? apart.minus(inside) : Money.zero;
  const paid = inside.plus(carrito);
  const cobrado = paid.isZero() ? Money.sum(counted.map((orden) => orden.envioAdicional)) : paid;
  const told = delEnvio !== null || !cobrado.isZero() || counted.every(({ packId }) => packId === null);
  return { cobrado: told ? cobrado : null, carrito, titular: first.marketId };
}

/** Returns the means of the payment that paid most. Payments that put money on the sale outrank mere attempts. */
export function medioPagoOf(pagos: readonly PagoLeido[]): { medioPago: string | null; formaPago: string | null } {
  const counted = credited(pagos);
  const [most] = [...(counted.length > 0 ? counted : pagos)].sort((a, b) => gross(b).compare(gross(a)));
  return { medioPago: most?.medio ?? null, formaPago: most?.formaPago ?? null };
}

/** Tells whether a payment stands that put money on the sale. */
export const hasApproved = (pagos: readonly PagoLeido[]) => approved(pagos).length > 0;
