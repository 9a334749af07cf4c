import { Money } from '~/core/money';
import type { PagoDeDocumento } from '~/domain/mercados/venta';
import type { Clase } from '~db/columns';

/** An orden of a sale, with the payments of the marketplace's document. */
export type OrdenPagada = { clase: Clase; pagadoAbs: Money; pagado: Money; pagos: readonly PagoDeDocumento[] };

const neto = ({ monto, devuelto }: PagoDeDocumento) => monto.minus(devuelto);

/** The amounts of a sale that its buyer may see: the total or the rest after refunds, with or without interest, and each payment. */
export function montosVistos(ordenes: readonly OrdenPagada[]): Money[] {
  const sum = (of: (orden: OrdenPagada) => Money) => Money.sum(ordenes.map(of));
  const todo = sum(({ pagadoAbs }) => pagadoAbs);
  const pagos = ordenes.flatMap((orden) => orden.pagos.filter(({ situacion }) => situacion !== 'sinEfecto'));
  const total = (of: (pago: PagoDeDocumento) => Money) => Money.sum(pagos.map(of));
  const devuelto = total((pago) => pago.devuelto);
  // The shipping of a cart is paid at its shipment: the sale's payment includes it, the payments of the document do not.
  const aparte = pagos.length === 0 ? Money.zero : todo.minus(sum(contado));
  const vistos = [
    todo,
    sum(({ pagado }) => pagado),
    total(({ monto }) => monto).plus(aparte),
    total(({ conIntereses }) => conIntereses).plus(aparte),
    total(({ conIntereses }) => conIntereses)
      .minus(devuelto)
      .plus(aparte),
    ...pagos.flatMap((pago) => [pago.monto, pago.conIntereses, neto(pago)]),
  ];
  return vistos.filter((monto) => monto.compare(Money.zero) > 0);
}

/** The part of an orden's amount that its payments explain; for a cancelled or returned one, the amount before refunds. */
function contado({ clase, pagos }: OrdenPagada): Money {
  const ended = clase === 'cancelada' || clase === 'devuelta';
  return Money.sum(
    pagos
      .filter(({ situacion }) => situacion === 'aprobado' || (ended && situacion === 'devuelto'))
      .map((pago) => (ended ? pago.monto : neto(pago))),
  );
}
