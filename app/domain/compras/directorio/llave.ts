import { writeDias } from '~/core/periodo';
import { addDays, civilDay } from '~/core/time';
import type { Seen } from '~/platform/connections/definition';

/** Days before its end from which a key is reported. */
const AVISO_DIAS = 14;

/** Returns the line about a key that ends, with a tone that tells how urgent it is. */
export function finOfLlave(label: string, fin: Date, now = new Date()): Seen {
  const dia = civilDay(fin);
  const tono = fin <= now ? 'mal' : dia <= addDays(civilDay(now), AVISO_DIAS) ? 'aviso' : 'ok';
  return {
    tono,
    texto: `La llave de ${label} ${fin <= now ? 'venció' : 'vence'} el ${writeDias({ desde: dia, hasta: dia })}.`,
  };
}
