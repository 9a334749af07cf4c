import { z } from 'zod';
import { minuteOf, readQ, type Rango } from './list';
import { isPeriodo } from './periodo';
import { isDia } from './text';

/** The fields of a list's filter that all lists have; a list adds its own beside them. */
export function listFields<const K extends string>(sorts: readonly K[], orden: K | `-${K}`) {
  const allowed = new Set<string>(sorts.flatMap((key) => [key, `-${key}`]));
  return {
    q: z.string().catch('').transform(readQ),
    orden: z
      .string()
      .refine((text) => allowed.has(text))
      .catch(orden),
  };
}

const day = z.string().refine(isDia).optional().catch(undefined);

const rango = z
  .string()
  .optional()
  .catch(undefined)
  .transform((text) => (isPeriodo(text) ? text : undefined));

/** The fields of a list with a date range; `readRango` makes them whole. */
export const rangoFields = { desde: day, hasta: day, rango };

const minute = (end: keyof Rango) =>
  z
    .string()
    .transform((text) => minuteOf(text, end))
    .optional()
    .catch(undefined);

/** The same where a range has hours. */
export const minutoFields = { desde: minute('desde'), hasta: minute('hasta'), rango };
