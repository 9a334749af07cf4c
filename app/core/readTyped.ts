import { dudaOfImporte, parseImporte } from './importe';
import { Money } from './money';
import { storedTelefono, parseTelefono } from './telefono';

/**
 * Reading of a text that people write in many ways, with the error for a text that cannot be read. `min` and `max` are
 * inclusive limits as decimal text. Server and browser read alike.
 */
export type TypedAs = { de: 'importe' | 'entero' | 'telefono'; noValido: string; min?: string; max?: string };
/** Result of a reading: the value to store, or the error for the field. */
export type Leido = { valor: string } | { porQue: string };

/** Reads an amount (pesos with two decimals), a whole number or a telephone. */
export function readTyped(text: string, { de, noValido, min, max }: TypedAs): Leido {
  if (de === 'telefono') {
    const telefono = parseTelefono(text);
    return telefono ? { valor: storedTelefono(telefono) } : { porQue: noValido };
  }
  const lectura = parseImporte(text);
  // '1,5' pieces are a piece and a half: an error, and never fifteen.
  if (de === 'entero' && !(lectura.clase === 'importe' && lectura.importe.endsWith('.00'))) return { porQue: noValido };
  if (lectura.clase === 'dudoso') return { porQue: dudaOfImporte(lectura.lecturas) };
  if (lectura.clase === 'nada' || !isBetween(lectura.importe, min, max)) return { porQue: noValido };
  return { valor: de === 'entero' ? lectura.importe.slice(0, -3) : lectura.importe };
}

function isBetween(importe: string, min?: string, max?: string): boolean {
  const money = Money.of(importe);
  return (
    (min === undefined || money.compare(Money.of(min)) >= 0) && (max === undefined || money.compare(Money.of(max)) <= 0)
  );
}
