import { z } from 'zod';
import { InstanteEscrito } from '~/core/fields';
import { Money } from '~/core/money';

const texto = z.string().nullish();
const Precio = z.union([
  z.number().transform((pesos) => Money.ofJsonNumber(pesos)),
  z
    .string()
    .regex(/^\d{1,9}(\.\d{1,4})?$/)
    .transform((pesos) => Money.of(pesos)),
]);

export const Problema = z.object({
  code: texto,
  message: z.string().nullish(),
  severity: texto,
  attributeNames: z.array(z.string()).nullish(),
  categories: z.array(z.string()).nullish(),
  enforcements: z
    .object({ actions: z.array(z.object({ action: z.string() })).nullish() })
    .nullish()
    .catch(null),
});
export type Problema = z.output<typeof Problema>;

/** A listing of the seller under one sku. A block comes only where it was asked for. */
export const Anunciado = z.object({
  sku: z.string().min(1),
  summaries: z
    .array(
      z.object({
        marketplaceId: texto,
        asin: texto,
        productType: texto,
        status: z.array(z.string()).nullish(),
        itemName: texto,
        createdDate: InstanteEscrito.nullish(),
        lastUpdatedDate: InstanteEscrito.nullish(),
      }),
    )
    .nullish(),
  issues: z.array(Problema).nullish(),
  offers: z
    .array(
      z.object({ marketplaceId: texto, offerType: texto, price: z.object({ currencyCode: texto, amount: Precio }) }),
    )
    .nullish(),
  fulfillmentAvailability: z
    .array(z.object({ fulfillmentChannelCode: texto, quantity: z.int().min(0).nullish() }))
    .nullish(),
  attributes: z.record(z.string(), z.unknown()).nullish(),
});
export type Anunciado = z.output<typeof Anunciado>;

export const PaginaDeAnuncios = z.object({
  numberOfResults: z.number().nullish(),
  pagination: z.object({ nextToken: z.string().min(1).nullish() }).nullish(),
  items: z.array(z.unknown()).nullish(),
});

/** The answer to a change: taken in to be worked on, or invalid. Both come as a success. */
export const Recibido = z.object({
  status: z.string(),
  submissionId: texto,
  issues: z.array(Problema).nullish(),
});

/** A listing as it is put: a page of its own, or an offer on a page that exists. */
export type AnuncioNuevo = {
  productType: string;
  requirements: 'LISTING' | 'LISTING_OFFER_ONLY';
  attributes: Record<string, unknown>;
};

const Dinero = z.object({ amount: Precio, currencyCode: texto });
const Ofrecida = z.object({
  offerIdentifier: z.object({ sellerId: texto }).nullish(),
  price: z.object({ listingPrice: Dinero.nullish() }).nullish(),
});

/** An answer about many offers: each row has a status of its own. A row that is none is read as none. */
export const PreciosEsperados = z.object({ responses: z.array(z.unknown()) });

/** The price at which an offer is expected to become the featured one, and whose offer is featured now. Words are open. */
export const PrecioEsperado = z.object({
  request: z.object({ sku: texto }).nullish(),
  status: z.object({ statusCode: z.number().int() }),
  body: z
    .object({
      offerIdentifier: z.object({ sku: texto }).nullish(),
      featuredOfferExpectedPriceResults: z
        .array(
          z.object({
            resultStatus: z.string(),
            featuredOfferExpectedPrice: z.object({ listingPrice: Dinero.nullish() }).nullish(),
            competingFeaturedOffer: Ofrecida.nullish(),
            currentFeaturedOffer: Ofrecida.nullish(),
          }),
        )
        .nullish(),
      errors: z.array(z.object({ code: texto, message: texto })).nullish(),
    })
    .nullish(),
});
export type PrecioEsperado = z.output<typeof PrecioEsperado>;
