import { Money } from '~/core/money';
import { TASA_IVA } from './cfdi';

/** What was paid for an orden, and what of it its articulos of other rates cost. */
export type PagoPorTasa = { pagado: Money; otras: { tasa: string; importe: string }[] };
export type Linea = { tasaIva: string; importe: Money };

/** What was paid, by rate: what articulos of other rates cost, and the rest, shipping included, at the general one. Orden by orden, so that parts add up to the whole. */
export function porTasa(ordenes: readonly PagoPorTasa[]): Linea[] {
  const sums = new Map<string, Money>();
  const add = (tasa: string, importe: Money) =>
    importe.isZero() || sums.set(tasa, (sums.get(tasa) ?? Money.zero).plus(importe));
  for (const { pagado, otras } of ordenes) {
    let rest = pagado;
    for (const { tasa, importe } of otras) {
      const part = Money.of(importe).compare(rest) < 0 ? Money.of(importe) : rest;
      add(Money.of(tasa).toFixed(6), part);
      rest = rest.minus(part);
    }
    add(TASA_IVA, rest);
  }
  return [...sums].map(([tasaIva, importe]) => ({ tasaIva, importe }));
}

/** Whether two splits charge the same at each rate. */
export function sameByRate(a: readonly Linea[], b: readonly Linea[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ tasaIva, importe }) => b.some((other) => other.tasaIva === tasaIva && other.importe.equals(importe)))
  );
}
