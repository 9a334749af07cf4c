/** A listing of the seller, the changes that it takes in, and the problems that keep it out. */
import type { World } from './answers';
import type { Catalog } from './catalog';
import { DE_OFERTA, TIPOS } from './schemas';

export type Issue = {
  code: string;
  message: string;
  severity: 'ERROR' | 'WARNING' | 'INFO';
  attributeNames?: string[];
  categories: string[];
};
/** A listing. Amounts are centavos. */
export type Publicacion = {
  sku: string;
  asin: string;
  titulo: string;
  tipo: string;
  centavos: number | null;
  cantidad: number | null;
  canal: 'DEFAULT' | 'AMAZON_NA';
  creada: number;
  cambio: number;
  issues: Issue[];
  /** Other parts of the offer, which a whole replacement takes away. */
  oferta: Record<string, unknown>;
  /** Offers for some audiences only. */
  otrasOfertas: Record<string, unknown>[];
  /** Other parts of the availability. */
  entrega: Record<string, unknown>;
  /** Prices of the other offers of its page, in centavos; none where it is alone. */
  rivales?: number[];
  /** Why it is not the featured offer: it may not be, its page has none, or nobody has it now. */
  destacada?: 'noElegible' | 'paginaSin' | 'nadie';
  /** A stubborn listing never shows the changes that it accepts. */
  terca?: boolean;
  /** Changes that were accepted and do not show yet. */
  espera: Cambio[];
};
export type Cambio = {
  en: number;
  centavos?: number;
  cantidad?: number;
  oferta?: Record<string, unknown>;
  otrasOfertas?: Record<string, unknown>[];
  entrega?: Record<string, unknown>;
};
export type Parches = { op?: string; path?: string; value?: Record<string, unknown>[] }[];
export type Puesta = {
  productType: string;
  requirements?: string;
  attributes: Record<string, Record<string, unknown>[] | undefined>;
};
export type Recibida = { status: 'ACCEPTED' | 'INVALID'; issues: Issue[] };
/** Returns the problems of a whole listing; none when it can be accepted. */
export function problemsOf(
  sku: string,
  { productType, requirements, attributes }: Puesta,
  { interruptores, catalog }: Pick<World, 'interruptores'> & { catalog: Catalog },
): Issue[] {
  const missing = (name: string): Issue => ({
    code: '90220',
    message: `Falta el atributo '${name}'.`,
    severity: 'ERROR',
    attributeNames: [name],
    categories: ['MISSING_ATTRIBUTE'],
  });
  const type = TIPOS[productType];
  const offerOnly = requirements === 'LISTING_OFFER_ONLY';
  const issues: Issue[] = [];
  const length = interruptores.is('largoDeSku', 'codificado') ? encodeURIComponent(sku).length : sku.length;
  if (length > 40)
    issues.push({ code: '18448', message: 'El SKU pasa de 40 letras.', severity: 'ERROR', categories: [] });
  if (!type && !(offerOnly && productType === 'PRODUCT'))
    return [...issues, { ...missing('product_type'), code: '90000900', message: 'El tipo de producto no es válido.' }];
  const asked = offerOnly
    ? DE_OFERTA
    : type
      ? [...(type.schema['required'] as string[]), ...type.requiredBy(attributes)]
      : [];
  for (const name of asked) if (!attributes[name]?.length) issues.push(missing(name));
  const asin = attributes['merchant_suggested_asin']?.[0]?.['value'];
  if (offerOnly && typeof asin === 'string' && !catalog.fichas.has(asin))
    issues.push({ ...missing('merchant_suggested_asin'), code: '18155', message: 'El ASIN no existe.' });
  const known = (type?.schema['properties'] ?? {}) as Record<
    string,
    { items?: { properties?: Record<string, { enum?: unknown[] }> } }
  >;
  for (const [name, values] of Object.entries(attributes)) {
    const allowed = known[name]?.items?.properties?.['value']?.enum;
    if (type && !(name in known))
      issues.push({ ...missing(name), code: '99022', message: `El atributo '${name}' no existe.` });
    else if (allowed && values?.some(({ value }) => !allowed.includes(value)))
      issues.push({
        ...missing(name),
        code: '18027',
        message: 'El valor no es de los que se admiten.',
        categories: ['INVALID_ATTRIBUTE'],
      });
  }
  return issues;
}
