import type { Rango } from '~/core/list';
import { Money } from '~/core/money';
import { addDays, civilDay } from '~/core/time';

/** Refusal of a payment without a file. */
export const SIN_ARCHIVO = 'No se detecto archivo';
/** Refusal of a payment without a folio. */
export const SIN_FOLIO = 'No ha ingresa el folio del pago';
/** Notice after files were saved. */
export const GUARDADO = 'Archivo enviado de forma correcta.';

/** Filter of sales by payment. */
export const FILTROS = ['sinPago', 'pagado', 'todos'] as const;
type FiltroDePago = (typeof FILTROS)[number];
/** Texts of that filter. */
export const FILTRO_LABEL: Record<FiltroDePago, string> = { todos: 'Todos', sinPago: 'Sin pago', pagado: 'Pagado' };

/** Words and texts of the filter of the invoices to be paid. */
export const CUALES = {
  todas: 'Todas',
  vencidas: 'Vencidas',
  urgentes: 'Vencidas o por vencer',
  sinPlazo: 'Sin plazo',
} as const;

/** Returns the folios that some fields hold, parted by commas, semicolons or lines. A folio counts once in whatever case it is written. */
export function foliosOf(...escritos: readonly (string | null | undefined)[]): string[] {
  const folios = escritos.flatMap((escrito) => (escrito ?? '').split(/[,;\n]/)).map((folio) => folio.trim());
  const known = new Map(folios.filter((folio) => folio !== '').map((folio) => [folio.toLowerCase(), folio]));
  return [...known.values()];
}

/** Returns the numbers of sales that a field holds, parted by spaces, commas or semicolons. */
export const numerosOf = (escrito: string | null): string[] => [
  ...new Set((escrito ?? '').split(/[\s,;]+/).filter((numero) => numero !== '')),
];

/** Returns the range from the first day of last month to today. */
export function desdeElMesAnterior(now = new Date()): Rango {
  const hasta = civilDay(now);
  const ultimoAnterior = addDays(`${hasta.slice(0, 7)}-01`, -1);
  return { desde: `${ultimoAnterior.slice(0, 7)}-01`, hasta };
}

/**
 * Divides a transfer among the invoices that it pays, in their order, and returns the part of each sale. The first that the total does not reach whole
 * takes what is left, and those after it nothing.
 */
export function repartir(
  total: Money,
  facturas: readonly { ordenId: string; falta: Money }[],
): { ordenId: string; monto: Money }[] {
  const partes = new Map<string, Money>();
  let queda = total;
  for (const { ordenId, falta } of facturas) {
    const toca = falta.compare(queda) <= 0 ? falta : queda;
    if (toca.compare(Money.zero) <= 0) break;
    partes.set(ordenId, (partes.get(ordenId) ?? Money.zero).plus(toca));
    queda = queda.minus(toca);
  }
  return [...partes].map(([ordenId, monto]) => ({ ordenId, monto }));
}
