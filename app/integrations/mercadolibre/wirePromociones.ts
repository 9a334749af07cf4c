import { z } from 'zod';
import { Money } from '~/core/money';
import { Id, Instant } from './wire';
import { Precio } from './wirePublicacion';

/** Promotions of a listing, the list of listings without automatic offers, and the end of an offer, in Mercado Libre's words. */

const text = z.string().nullish();
const Porcentaje = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d+(\.\d+)?$/)
      .transform(Number),
  ])
  .pipe(z.number().min(0).max(100))
  .transform((porcentaje) => Money.ofJsonNumber(porcentaje));

/** A promotion of a listing. Types and states are open lists; the price of an invitation is 0. */
export const Promocion = z.object({
  id: Id.nullish(),
  type: z.string().min(1),
  ref_id: Id.nullish(),
  status: z.string().min(1),
  price: Precio.nullish(),
  original_price: Precio.nullish(),
  meli_percentage: Porcentaje.nullish().catch(null),
  seller_percentage: Porcentaje.nullish().catch(null),
  start_date: Instant.nullish().catch(null),
  finish_date: Instant.nullish().catch(null),
  name: text,
});
export type Promocion = z.output<typeof Promocion>;

/** The promotions of a listing. The vendor's sample has no brackets, so one alone may come without a list. */
export const Promociones = z.union([z.array(Promocion), Promocion.transform((una) => [una])]);

/** Whether a listing gets automatic offers: words, and no booleans. */
export const Exclusion = z.object({ excluded: z.enum(['excluded', 'not_excluded']) });

/** The error of an offer is text or an object; nobody has shown it. */
const Fallo = z.object({ error: z.unknown() });

/** The end of offers. An answer of 200 may hold nothing but errors, and that of a single offer is not shown. */
export const OfertasQuitadas = z.object({
  successful_ids: z.array(Fallo.partial()).nullish().catch(null),
  errors: z.array(Fallo.partial()).nullish().catch(null),
});

/** Returns the reasons why offers were not ended, among those of an answer; empty where it tells none. */
export function noesOf({ successful_ids: hechos, errors }: z.output<typeof OfertasQuitadas>): string[] {
  return [...(errors ?? []).map(({ error }) => error ?? ''), ...(hechos ?? []).flatMap(({ error }) => error ?? [])].map(
    (error) => {
      if (typeof error === 'string') return error;
      const dicho = z.object({ message: text, key: text, code: text }).safeParse(error).data;
      return dicho?.message ?? dicho?.key ?? dicho?.code ?? JSON.stringify(error);
    },
  );
}
