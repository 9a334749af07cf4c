import { z } from 'zod';
import { Money } from '~/core/money';
import { Id, Instant } from './wire';

/** A listing as Mercado Libre shows it to its owner. Lists of words are open, and a field that may be missing says so. */

const text = z.string().nullish();
/** A price in pesos. */
export const Precio = z
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
  user_product_id: text,
  inventory_id: text,
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
  user_product_id: text,
  inventory_id: text,
  attributes: z.array(Atributo).nullish(),
  variations: z.array(Variante).nullish(),
  status: z.string(),
  sub_status: z.array(z.string()).nullish(),
  tags: z.array(z.string()).nullish(),
  catalog_listing: z.boolean().nullish(),
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

/** The prices of a listing: the list price is the standard one, for any quantity and any buyer. */
export const Precios = z.object({
  prices: z
    .array(
      z.object({
        type: z.string(),
        amount: Precio,
        conditions: z
          .object({ context_restrictions: z.array(z.string()).nullish(), min_purchase_unit: z.number().nullish() })
          .nullish(),
      }),
    )
    .nullish(),
});

/** The price that a listing is really sold at. */
export const PrecioDeVenta = z.object({ amount: Precio });

/**
 * The standing of a listing on its catalogue page. A listing outside the catalogue is answered too, with nulls. Words are open; `reason` tells why a
 * listing may not win.
 */
export const PrecioParaGanar = z.object({
  status: z.string(),
  current_price: Precio.nullish(),
  price_to_win: Precio.nullish(),
  currency_id: text,
  competitors_sharing_first_place: z.number().int().nullish(),
  reason: z.array(z.string()).nullish(),
  winner: z.object({ price: Precio.nullish(), currency_id: text }).nullish(),
});
export type PrecioParaGanar = z.output<typeof PrecioParaGanar>;

/** Returns the list price among the prices of a listing; null where there is none. */
export function precioDeLista({ prices }: z.output<typeof Precios>): Money | null {
  const suyos = (prices ?? []).filter(
    ({ type, conditions }) => type === 'standard' && (conditions?.min_purchase_unit ?? 1) <= 1,
  );
  const todos = suyos.find(({ conditions }) => (conditions?.context_restrictions ?? []).length === 0);
  return (todos ?? suyos[0])?.amount ?? null;
}

/** The text of a listing, which no answer about the listing itself brings. */
export const Descripcion = z.object({ plain_text: text });

/** An answer about several listings, each with a status of its own. A body that is no listing is read as none. */
export const Varios = z.array(z.object({ code: z.number(), body: z.unknown() }));

/** Returns the user product whose pieces a listing sells; null where it has none, or one for each of several variants. */
export function productoDeUsuarioOf({ user_product_id: suyo, variations }: Publicado): string | null {
  const variantes = variations ?? [];
  return (
    (variantes.length === 1 ? variantes[0]!.user_product_id : undefined) ?? (variantes.length > 1 ? null : suyo) ?? null
  );
}

/** Tells whether pieces of a listing lie with Mercado Libre, as far as its document says so. */
export const conPiezasAlla = ({ shipping, inventory_id: suyo, variations }: Publicado): boolean =>
  shipping?.logistic_type === 'fulfillment' ||
  [suyo, ...(variations ?? []).map(({ inventory_id: una }) => una)].some(
    (one) => typeof one === 'string' && one !== '',
  );

/** Returns price and pieces of a listing. Of a listing with variants, the lowest price and the pieces of all variants. */
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
