import { z } from 'zod';
import type { Money } from '~/core/money';
import { Instante } from '../wire';

/* What the calls of the old client have in common. Its amounts are JSON numbers, since it adds them; those of `/api/v1` are text. */

export const Numero = z.number().meta({ description: 'Pesos. El cliente anterior los suma como números.' });

export function numero(importe: Money | string): number;
export function numero(importe: Money | string | null): number | null;
export function numero(importe: Money | string | null): number | null {
  return importe === null ? null : Number(typeof importe === 'string' ? importe : importe.toFixed(2));
}

/** An amount or a count, as a number or as people write it. */
export const Escrito = z.union([z.number(), z.string().max(60)]).transform(String);

/** A change that has nothing more to tell. */
export const Hecho = z.object({ error: z.literal(false), message: z.string() });
export const hecho = (message: string) => ({ error: false as const, message });

/** Ends of a range as the old client writes them: instants, of which both count. */
const Instant = z
  .string()
  .max(40)
  .refine((text) => /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/.test(text) && !Number.isNaN(Date.parse(text)))
  .transform((text) => new Date(text))
  .refine((date) => date.getUTCFullYear() >= 2000 && date.getUTCFullYear() < 2100);

const MAX_MS = 401 * 86_400_000;
export const Rango = z
  .object({ from: Instant, to: Instant })
  // What is no instant was refused already, and comes here as it was written.
  .refine(
    ({ from, to }) =>
      !(from instanceof Date && to instanceof Date) || (to >= from && to.getTime() - from.getTime() <= MAX_MS),
    'El rango de fechas no es válido.',
  );

export const Id = z.object({ id: z.uuid() });
export { Instante };
