import { z } from 'zod';
import { minuteOf, readQ, type Rango } from './list';
import { isPeriodo } from './periodo';
import { isDia, isStorable } from './text';

/**
 * Fields of the filter that every list has; a list adds its own fields. `sorts` are the allowed columns and `orden` the
 * default. A value that does not fit falls back to its default.
 */
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

/** The supplier whose rows are listed. A form without one sends an empty text, which means all. */
export const proveedorField = z.string().min(1).max(20).refine(isStorable).optional().catch(undefined);

/** Fields of a range of days; `readRango` fills in missing ends. */
export const rangoFields = { desde: day, hasta: day, rango };

const minute = (end: keyof Rango) =>
  z
    .string()
    .transform((text) => minuteOf(text, end))
    .optional()
    .catch(undefined);

/** Fields of a range with hours; `readRango` fills in missing ends. */
export const minutoFields = { desde: minute('desde'), hasta: minute('hasta'), rango };
