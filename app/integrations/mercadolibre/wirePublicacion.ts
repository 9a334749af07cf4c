import { z } from 'zod';
import { Money } from '~/core/money';
import { Id, Instant } from './wire';

/** A listing as the marketplace shows it to its owner. Every word of a list is open, and what may be missing says so. */

const text = z.string().nullish();
const Precio = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d+(\.\d+)?$/)
      .transform(Number),
  ])
  .transform((pesos) => Money.ofJsonNumber(pesos));
const Piezas = z.union([z.number().int(), z.string().regex(/^\d+$/).transform(Number)]);

const Atributo = z.object({ id: z.string(), value_id: Id.nullish(), value_name: text });

export const Variante = z.object({
  id: Id,
  price: Precio.nullish(),
  available_quantity: Piezas.nullish(),
  seller_custom_field: text,
  attributes: z.array(Atributo).nullish(),
});

export const Publicado = z.object({
  id: z.string(),
  seller_id: Id.nullish(),
  title: z.string(),
  subtitle: text,
  category_id: text,
  price: Precio.nullish(),
  available_quantity: Piezas.nullish(),
  sold_quantity: Piezas.nullish(),
  listing_type_id: text,
  start_time: text,
  stop_time: text,
  end_time: text,
  permalink: text,
  shipping: z.object({ logistic_type: text }).nullish(),
  attributes: z.array(Atributo).nullish(),
  variations: z.array(Variante).nullish(),
  status: z.string(),
  sub_status: z.array(z.string()).nullish(),
  seller_custom_field: text,
  date_created: Instant.nullish().catch(null),
  last_updated: Instant.nullish().catch(null),
});
export type Publicado = z.output<typeof Publicado>;

export const PaginaDeItems = z.object({
  paging: z.object({ total: z.number() }),
  results: z.array(z.string()).nullish(),
  scroll_id: text,
});

/** Each with a status of its own; a body that is no listing is none. */
export const Varios = z.array(z.object({ code: z.number(), body: z.unknown() }));

/** What it is sold for and how many there are. With variants, the lowest price and the pieces of all of them. */
export function enVenta({ price, available_quantity: piezas, variations }: Publicado) {
  const variantes = variations ?? [];
  const [first, ...rest] = variantes.flatMap(({ price: suyo }) => (suyo ? [suyo] : []));
  return {
    precio: first ? rest.reduce((least, one) => (one.compare(least) < 0 ? one : least), first) : (price ?? null),
    stock:
      variantes.length > 0
        ? variantes.reduce((sum, { available_quantity: suyas }) => sum + (suyas ?? 0), 0)
        : (piezas ?? null),
  };
}
