import { writeDias } from '~/core/periodo';
import { addDays, civilDay } from '~/core/time';
import type { Seen } from '~/platform/connections/definition';

/** How long before its end a key is told to need another. */
const AVISO_DIAS = 14;

/** What is told of a key that ends, and how much it matters. */
export function finOfLlave(label: string, fin: Date, now = new Date()): Seen {
  const dia = civilDay(fin);
  const tono = fin <= now ? 'mal' : dia <= addDays(civilDay(now), AVISO_DIAS) ? 'aviso' : 'ok';
  return {
    tono,
    texto: `La llave de ${label} ${fin <= now ? 'venció' : 'vence'} el ${writeDias({ desde: dia, hasta: dia })}.`,
  };
}
