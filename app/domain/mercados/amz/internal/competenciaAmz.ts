import { rowOf, tableOf } from '~/core/table';
import type { Money } from '~/core/money';
import type { Esperado } from '~/integrations/amazon/publicaciones.server';
import type { PrecioEsperado } from '~/integrations/amazon/wirePublicacion';
import type { CompetenciaHallada } from '~/domain/mercados/publicacion';

type Resultado = NonNullable<NonNullable<PrecioEsperado['body']>['featuredOfferExpectedPriceResults']>[number];
type Oferta = Resultado['currentFeaturedOffer'];

/** Why an offer may not be the featured one. Amazon spells the word for no other offer in two ways. */
const SIN_COMPETIR: Readonly<Record<string, string>> = tableOf({
  NO_COMPETING_OFFER: 'No hay otra oferta que compita.',
  NO_COMPETING_OFFERS: 'No hay otra oferta que compita.',
  OFFER_NOT_ELIGIBLE: 'La oferta no puede ser la destacada.',
  ASIN_NOT_ELIGIBLE: 'La página no lleva oferta destacada.',
});
const CON_PRECIO = 'VALID_FOEP';
const SIN_OTRA = /^NO_COMPETING_OFFERS?$/;
const MALA = 'INVALID_SKU';
const PESOS = 'MXN';

/** Returns the standing of offers in our nouns. Where every offer is refused for something else than its sku, the account or the country has no such prices. */
export function competenciasAmz(vendedor: string, filas: readonly Esperado[]): CompetenciaHallada[] {
  const todas = filas.map((fila) => competenciaOf(vendedor, fila));
  const ninguna = todas.every((una) => 'negada' in una && una.cuenta);
  return todas.map((una) => ('negada' in una ? { ...una, cuenta: ninguna } : una));
}

function competenciaOf(vendedor: string, fila: Esperado): CompetenciaHallada {
  const clave = fila.sku;
  if ('ilegible' in fila) return { clave, negada: `Amazon contestó otra forma (${fila.ilegible})`, cuenta: false };
  const { status, body } = fila.dicho;
  const [error] = body?.errors ?? [];
  if (status.statusCode >= 300 || error) {
    const dicho = [status.statusCode, error?.code].filter(Boolean).join(' ');
    return { clave, negada: `Amazon dijo que no (${dicho})`, cuenta: error?.code !== MALA };
  }
  const [resultado] = body?.featuredOfferExpectedPriceResults ?? [];
  if (!resultado) return { clave, negada: 'Amazon no dijo nada de esta oferta.', cuenta: false };
  const {
    resultStatus,
    featuredOfferExpectedPrice,
    currentFeaturedOffer: actual,
    competingFeaturedOffer: otra,
  } = resultado;
  const sinCompetir = rowOf(SIN_COMPETIR, resultStatus);
  if (resultStatus !== CON_PRECIO && !sinCompetir)
    return { clave, negada: `Amazon contestó un resultado que no conocemos: ${resultStatus}`, cuenta: false };
  const nuestra = actual?.offerIdentifier?.sellerId === vendedor;
  // Alone on its page an offer may be featured all the same.
  const gana = nuestra && (resultStatus === CON_PRECIO || SIN_OTRA.test(resultStatus));
  return {
    clave,
    competencia: {
      lugar: gana ? 'gana' : sinCompetir ? 'noCompite' : 'pierde',
      razones: [
        ...(sinCompetir ? [sinCompetir] : []),
        ...(!sinCompetir && !actual ? ['Nadie tiene ahora la oferta destacada.'] : []),
      ],
      nuestro: nuestra ? precioOf(actual) : null,
      paraGanar: resultStatus === CON_PRECIO ? enPesos(featuredOfferExpectedPrice?.listingPrice) : null,
      ganador: precioOf(actual) ?? precioOf(otra),
      comparten: null,
    },
  };
}

const precioOf = (oferta: Oferta): Money | null => enPesos(oferta?.price?.listingPrice);

/** Amounts of another currency and zeros tell no price. */
const enPesos = (
  dinero: { amount: Money; currencyCode?: string | null | undefined } | null | undefined,
): Money | null =>
  dinero && (dinero.currencyCode ?? PESOS) === PESOS && !dinero.amount.isZero() && !dinero.amount.isNegative()
    ? dinero.amount
    : null;
