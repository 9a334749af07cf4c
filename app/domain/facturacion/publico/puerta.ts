import { z } from 'zod';
import { importeEscrito } from '~/core/escrito';
import { Money } from '~/core/money';
import type { PagoDeDocumento } from '~/domain/mercados/venta';
import type { Clase } from '~db/columns';

const REQUERIDO = 'Este dato es requerido';
const NUMERO_NO_VALIDO =
  'El número de una compra lleva solo dígitos; los de Amazon, también guiones (000-0000000-0000000).';

/** The number of a sale however it was copied: '#2000 0035 0889 7196', 'Venta 2000003508897196'. Null when it is none. */
export function parseNumero(text: string): string | null {
  const compact = text
    .replace(/[\s#.:°º]/g, '')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/^\p{L}+/u, '');
  if (/^\d{3}-\d{7}-\d{7}$/.test(compact)) return compact;
  const digits = compact.replace(/-/g, '');
  return /^\d{6,20}$/.test(digits) ? digits : null;
}

const Numero = z
  .string({ error: REQUERIDO })
  .trim()
  .min(1, REQUERIDO)
  .max(60, NUMERO_NO_VALIDO)
  .transform((text, ctx) => {
    const numero = parseNumero(text);
    if (numero !== null) return numero;
    ctx.addIssue({ code: 'custom', message: NUMERO_NO_VALIDO });
    return z.NEVER;
  });

/** What is malformed is told at its field, and is no try. */
export const Puerta = z.object({ numOrden: Numero, monto: importeEscrito(REQUERIDO, 'Monto No Valido') });
export const PuertaPorMensaje = Puerta.pick({ numOrden: true });

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
