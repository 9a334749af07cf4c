import { Money } from '~/core/money';
import type { PagoDeDocumento } from '~/domain/mercados/venta';
import type { Clase } from '~db/columns';

/** One orden of the sale, with the payments its document tells. */
export type OrdenPagada = { clase: Clase; pagadoAbs: Money; pagado: Money; pagos: readonly PagoDeDocumento[] };

const neto = ({ monto, devuelto }: PagoDeDocumento) => monto.minus(devuelto);

/** Every amount of a sale that its buyer may have before their eyes: all of it or what still stands, one payment, with interest, less what came back. */
export function montosVistos(ordenes: readonly OrdenPagada[]): Money[] {
  const sum = (of: (orden: OrdenPagada) => Money) => Money.sum(ordenes.map(of));
  const todo = sum(({ pagadoAbs }) => pagadoAbs);
  const pagos = ordenes.flatMap((orden) => orden.pagos.filter(({ situacion }) => situacion !== 'sinEfecto'));
  const total = (of: (pago: PagoDeDocumento) => Money) => Money.sum(pagos.map(of));
  const devuelto = total((pago) => pago.devuelto);
  // The shipping of a cart is paid at its shipment: what was paid has it, the payments of the document have not.
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

/** What of an orden's amount its payments explain; of one that ended, what had been paid. */
function contado({ clase, pagos }: OrdenPagada): Money {
  const ended = clase === 'cancelada' || clase === 'devuelta';
  return Money.sum(
    pagos
      .filter(({ situacion }) => situacion === 'aprobado' || (ended && situacion === 'devuelto'))
      .map((pago) => (ended ? pago.monto : neto(pago))),
  );
}
