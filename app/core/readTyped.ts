import { dudaOfImporte, parseImporte } from './importe';
import { Money } from './money';
import { storedTelefono, parseTelefono } from './telefono';

/** How a text that people write in many ways is read, and what is said when nothing sensible can be. The same on both sides. */
export type Lectura = { de: 'importe' | 'entero' | 'telefono'; noValido: string; min?: string; max?: string };
export type Leido = { valor: string } | { porQue: string };

export function readTyped(text: string, { de, noValido, min, max }: Lectura): Leido {
  if (de === 'telefono') {
    const telefono = parseTelefono(text);
    return telefono ? { valor: storedTelefono(telefono) } : { porQue: noValido };
  }
  const lectura = parseImporte(text);
  // '1,5' pieces are a piece and a half, which is none, and never fifteen.
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
