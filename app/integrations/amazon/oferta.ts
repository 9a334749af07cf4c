import { Money } from '~/core/money';
import { MEXICO } from './marketplace';
import { enLineas, isError, isGrave } from './problemas';
import type { Anunciado, Problema } from './wirePublicacion';

type Parte = Record<string, unknown>;
/** A part of a listing that replaces the one there is. A part is replaced whole, so the seller's other words in it are said again. */
export type Parche = { op: 'replace'; path: string; value: Parte[] };
/** The change of an offer; null leaves that part as it is. */
export type PedidoDeOferta = { precio: string | null; stock: number | null };

const OFERTA = 'purchasable_offer';
const DISPONIBLE = 'fulfillment_availability';
const PROPIO = 'DEFAULT';
/** The product type by which any offer may be changed, where the listing does not tell its own. */
const GENERICO = 'PRODUCT';

export const tipoOf = ({ summaries }: Anunciado): string => summaries?.[0]?.productType ?? GENERICO;

const partesOf = (valor: unknown): Parte[] =>
  Array.isArray(valor) ? valor.filter((una): una is Parte => typeof una === 'object' && una !== null) : [];

const deMexico = ({ marketplace_id: lugar }: Parte) => lugar === undefined || lugar === MEXICO;
/** Tells whether an offer is the one that everybody sees; an offer for companies is another one. */
const deTodos = (oferta: Parte) => deMexico(oferta) && (oferta.audience === undefined || oferta.audience === 'ALL');

/** Puts a value in the place of the one that `es` finds, or after the others. */
function conUna(partes: readonly Parte[], es: (una: Parte) => boolean, nueva: (antes: Parte) => Parte): Parte[] {
  const at = partes.findIndex(es);
  return at < 0 ? [...partes, nueva({})] : partes.map((una, n) => (n === at ? nueva(una) : una));
}

export function ofertaCon(oferta: Parte, precio: string): Parte {
  const [nuestro = {}, ...otros] = partesOf(oferta.our_price);
  const [horario = {}, ...resto] = partesOf(nuestro.schedule);
  return {
    marketplace_id: MEXICO,
    audience: 'ALL',
    ...oferta,
    currency: 'MXN',
    our_price: [{ ...nuestro, schedule: [{ ...horario, value_with_tax: Number(precio) }, ...resto] }, ...otros],
  };
}

export const disponibleCon = (parte: Parte, stock: number): Parte => ({
  ...parte,
  fulfillment_channel_code: PROPIO,
  quantity: stock,
});

/** Returns the parts that a change replaces; null where the pieces lie with Amazon, which counts them. */
export function parchesOf({ attributes }: Anunciado, { precio, stock }: PedidoDeOferta): Parche[] | null {
  const parches: Parche[] = [];
  if (precio !== null) {
    const value = conUna(partesOf(attributes?.[OFERTA]), deTodos, (oferta) => ofertaCon(oferta, precio));
    parches.push({ op: 'replace', path: `/attributes/${OFERTA}`, value });
  }
  if (stock !== null) {
    const partes = partesOf(attributes?.[DISPONIBLE]);
    const canalDe = ({ fulfillment_channel_code: canal }: Parte) => canal ?? PROPIO;
    if (partes.length > 0 && partes.every((una) => canalDe(una) !== PROPIO)) return null;
    const value = conUna(
      partes,
      (una) => canalDe(una) === PROPIO,
      (una) => disponibleCon(una, stock),
    );
    parches.push({ op: 'replace', path: `/attributes/${DISPONIBLE}`, value });
  }
  return parches;
}

/** Returns how a listing stands. A grave problem keeps a listing with pieces from being for sale; without pieces, nothing else does. */
export function mostradoEn({ summaries, issues, offers, fulfillmentAvailability }: Anunciado) {
  const [resumen] = summaries ?? [];
  const disponible = fulfillmentAvailability?.[0];
  const ajeno = disponible?.fulfillmentChannelCode?.startsWith('AMAZON') ?? false;
  const stock = ajeno ? null : (disponible?.quantity ?? null);
  const oferta = offers?.find(({ offerType }) => offerType === 'B2C' || !offerType);
  const aLaVenta = (resumen?.status ?? []).includes('BUYABLE');
  const grave = (issues ?? []).some(isGrave);
  return {
    precio: oferta && (oferta.price.currencyCode ?? 'MXN') === 'MXN' ? oferta.price.amount : null,
    stock,
    ajeno,
    estatus: aLaVenta ? 'DONE' : grave && stock !== 0 ? 'FATAL' : 'inactiva',
  };
}

/** Returns a listing as it shows by now, with the errors that Amazon finds in it. */
export type AnuncioMostrado = ReturnType<typeof mostradaOf>;

export function mostradaOf(anuncio: Anunciado) {
  const { precio, stock, estatus } = mostradoEn(anuncio);
  const [resumen] = anuncio.summaries ?? [];
  const errores = (anuncio.issues ?? []).filter(isError);
  return {
    asin: resumen?.asin ?? null,
    tipo: resumen?.productType ?? null,
    // Amazon may not tell the price of an offer that is not for sale: then the seller's own words count.
    precio: (precio ?? precioPuesto(anuncio))?.toFixed(2) ?? null,
    stock,
    titulo: resumen?.itemName || anuncio.sku,
    estatus,
    errores,
    /** The errors in words, one in a line. */
    porque: enLineas(errores),
    aLaVenta: (resumen?.status ?? []).includes('BUYABLE'),
    /** Returns the errors about the parts that a change touches, without those that were there before; null without any. */
    erroresDe(pedido: PedidoDeOferta, antes: readonly string[] = []): string | null {
      const suyos = errores.filter((problema) => toca(problema, pedido) && !antes.includes(huellaOf(problema)));
      return suyos.length > 0 ? enLineas(suyos) : null;
    },
    /** The marks of the errors, by which they are known again. */
    huellas: errores.map(huellaOf),
  };
}

function precioPuesto({ attributes }: Anunciado): Money | null {
  const oferta = partesOf(attributes?.[OFERTA]).find(deTodos);
  const valor = partesOf(partesOf(oferta?.our_price)[0]?.schedule)[0]?.value_with_tax;
  return typeof valor === 'number' && Number.isFinite(valor) && valor >= 0 ? Money.ofJsonNumber(valor) : null;
}

const PRECIOS = new Set(['INVALID_PRICE', 'MISSING_PRICE']);
const huellaOf = ({ code, attributeNames }: Problema) => `${code ?? ''} ${(attributeNames ?? []).join(',')}`;

function toca({ attributeNames, categories }: Problema, { precio, stock }: PedidoDeOferta): boolean {
  const atributos = attributeNames ?? [];
  if (precio !== null && (atributos.includes(OFERTA) || (categories ?? []).some((una) => PRECIOS.has(una))))
    return true;
  return stock !== null && atributos.includes(DISPONIBLE);
}
