import { z } from 'zod';
import { Money } from '~/core/money';
import { Id } from './wire';

const text = z.string().nullish();
const Named = z.object({ id: Id, name: text.transform((name) => name ?? '') });
const Names = z
  .array(Named)
  .nullish()
  .transform((names) => names ?? []);

export const Roots = z.array(Named);

export const Category = Named.extend({
  path_from_root: Names,
  children_categories: Names,
  settings: z
    .object({
      listing_allowed: z.boolean().nullish(),
      max_title_length: z.number().nullish(),
      max_pictures_per_item: z.number().nullish(),
      minimum_price: z.number().nullish(),
    })
    .nullish(),
});

/** The flags of an attribute; some pages write them as a list. */
const Tags = z
  .union([
    z.array(z.string()),
    z.record(z.string(), z.unknown()).transform((tags) => Object.keys(tags).filter((tag) => tags[tag] === true)),
  ])
  .nullish()
  .transform((tags) => new Set(tags ?? []));

export const Attribute = Named.extend({
  tags: Tags,
  value_type: z.string().catch('string'),
  value_max_length: z.number().nullish(),
  values: Names,
  allowed_units: Names,
  default_unit: text,
  type: text,
  hint: text,
  tooltip: text,
  example: text,
});
export type Attribute = z.output<typeof Attribute>;
export const Attributes = z.array(Attribute);

export const Predictions = z.array(z.object({ category_id: Id, category_name: text, domain_name: text }));

export const Conditional = z.object({ required_attributes: Names });

/** The commission of a price: alone, in a list, or in a list of lists, since nobody has confirmed which. */
const Fee = z.object({
  listing_type_id: text,
  sale_fee_amount: z.number().transform((pesos) => Money.ofJsonNumber(pesos)),
});
const FeeList = z.union([
  Fee.transform((fee) => [fee]),
  z.array(Fee),
  z.array(z.array(Fee)).transform((all) => all.flat()),
]);
export const Fees = FeeList;

/**
 * How an account sends: its modes and, for each, its kinds of logistics, as text or as an object with `type`. Kinds that Mercado Libre does not name yet are
 * kept.
 */
export const ShippingPreferences = z.object({
  modes: z.array(z.string()).nullish(),
  logistics: z
    .array(
      z.object({
        mode: z.string(),
        types: z
          .array(z.union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)]))
          .nullish()
          .transform((types) => types ?? []),
      }),
    )
    .nullish()
    .transform((logistics) => logistics ?? []),
});

/** A page of the listings whose price a rule of Mercado Libre moves. */
export const ConRegla = z.object({ items: z.array(z.string()), paging: z.object({ total: z.number() }) });

export const SellerTags = z.object({
  id: z.union([z.number().int(), z.string()]).transform(String),
  tags: z
    .array(z.string())
    .nullish()
    .transform((tags) => tags ?? []),
});

/** Tells by the tags of an account whether it sells user products: their listings have a family name in place of a title. */
export const sellsUserProducts = (etiquetas: readonly string[]): boolean => etiquetas.includes('user_product_seller');

/** An error with its causes, which may be missing, null, or plain text. */
const Cause = z.object({
  cause_id: z.union([z.number(), z.string().transform(Number)]).nullish(),
  type: text,
  code: text,
  references: z
    .array(z.string())
    .nullish()
    .transform((references) => references ?? []),
  message: text,
});
export const Causes = z.object({
  message: text,
  error: text,
  cause: z
    .union([
      z.array(z.union([Cause, z.string().transform((message) => Cause.parse({ message })), Cause.nullable()])),
      z.null(),
    ])
    .optional()
    .transform((causes) => (causes ?? []).filter((cause) => cause !== null))
    .catch([]),
});

/** One reason of a no, in Mercado Libre's words. */
export type Causa = { id: number | null; codigo: string; referencias: string[]; mensaje: string };

/** Returns the reasons of a 400, without the warnings, which keep nothing from being taken. */
export function causasOf(json: unknown): Causa[] {
  const said = Causes.safeParse(json);
  if (!said.success) return [];
  const { cause, error, message } = said.data;
  const errors = cause
    .filter(({ type }) => type !== 'warning')
    .map(({ cause_id: id, code, references, message: mensaje }) => ({
      id: id ?? null,
      codigo: code ?? '',
      referencias: references,
      mensaje: mensaje ?? '',
    }));
  if (errors.length > 0 || (!error && !message)) return errors;
  // The word for machines stands in one field or in the other.
  const [codigo, mensaje] = isCode(error) ? [error, message] : [message, error];
  return [{ id: null, codigo: codigo ?? '', referencias: [], mensaje: mensaje ?? '' }];
}

const isCode = (said: string | null | undefined): said is string =>
  said?.includes('.') === true && /^[\w.]+$/.test(said);

export const Item = z.object({
  id: Id,
  title: text,
  family_name: text,
  category_id: text,
  status: text,
  permalink: text,
  listing_type_id: text,
  price: z.number().nullish(),
  available_quantity: z.number().nullish(),
  sold_quantity: z.number().nullish(),
  date_created: text,
  attributes: z
    .array(z.object({ id: z.string(), value_id: Id.nullish(), value_name: text }))
    .nullish()
    .transform((attributes) => attributes ?? []),
});
export type Item = z.output<typeof Item>;

export const ItemIds = z.object({
  results: z
    .array(Id)
    .nullish()
    .transform((results) => results ?? []),
});
export const Picture = z.object({ id: Id });
