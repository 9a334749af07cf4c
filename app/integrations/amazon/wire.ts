import { z } from 'zod';
import { InstanteEscrito } from '~/core/fields';
import { Money } from '~/core/money';

/**
 * The fields of Amazon's answers that we read, in its own words. Lists of words are open and come in any case. Every block is optional even when it was
 * asked for, and '' stands beside absent fields. Unknown fields stay in the raw document.
 */

export const text = z
  .string()
  .nullish()
  .transform((one) => one?.trim() || null);
export const word = z
  .string()
  .nullish()
  .transform((one) => one?.trim().toUpperCase() || null);
export const list = <S extends z.ZodType>(of: S) =>
  z
    .array(of)
    .nullish()
    .transform((one) => one ?? []);
const Count = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).pipe(z.number().int().min(0));

const DECIMAL = /^-?\d+(\.\d+)?$/;
/** An amount: Orders writes text, Finances writes numbers. */
export const Amount = z.union([
  z.number().transform((pesos) => Money.ofJsonNumber(pesos)),
  z
    .string()
    .regex(DECIMAL)
    .transform((pesos) => Money.ofJsonNumber(Number(pesos))),
]);

/** An instant, with or without decimals of a second, in UTC or with an offset. */
export const Instant = InstanteEscrito;

export const Dinero = z
  .object({ amount: Amount, currencyCode: text })
  .nullish()
  .transform((one) => one?.amount ?? null);

const Desglose = z.object({
  type: word,
  subtotal: Dinero,
  detailedBreakdowns: list(z.object({ subtype: word, value: Dinero })),
});
export type Desglose = z.output<typeof Desglose>;

const Item = z.object({
  orderItemId: z.string().min(1),
  quantityOrdered: Count,
  product: z.object({
    asin: text,
    title: text,
    sellerSku: text,
    price: z.object({ unitPrice: Dinero }).nullish(),
  }),
  proceeds: z.object({ proceedsTotal: Dinero, breakdowns: list(Desglose) }).nullish(),
  cancellation: z
    .object({
      cancellationRequest: z.object({ requester: word, cancelReason: text }).nullish(),
      cancellationExecution: z.object({ cancelledBy: word, cancelReason: text }).nullish(),
    })
    .nullish(),
  fulfillment: z.object({ quantityFulfilled: Count.nullish(), quantityUnfulfilled: Count.nullish() }).nullish(),
});
export type Item = z.output<typeof Item>;

const Direccion = z.object({
  name: text,
  companyName: text,
  addressLine1: text,
  addressLine2: text,
  addressLine3: text,
  city: text,
  districtOrCounty: text,
  municipality: text,
  stateOrRegion: text,
  postalCode: text,
  phone: text,
});
export type Direccion = z.output<typeof Direccion>;

export const Order = z.object({
  orderId: z.string().min(1),
  createdTime: Instant,
  lastUpdatedTime: Instant,
  programs: list(z.string()),
  associatedOrders: list(z.object({ orderId: text, associationType: word })),
  salesChannel: z.object({ channelName: word, marketplaceId: text }).nullish(),
  buyer: z.object({ buyerName: text, buyerEmail: text, buyerCompanyName: text }).nullish(),
  recipient: z.object({ deliveryAddress: Direccion.nullish() }).nullish(),
  proceeds: z.object({ grandTotal: Dinero, breakdowns: list(Desglose) }).nullish(),
  payment: z.object({ paymentExecutions: list(z.object({ paymentMethod: text })) }).nullish(),
  tax: z
    .object({
      taxRegistrations: list(
        z.object({
          entityType: word,
          legalName: text,
          taxRegistrationNumber: text,
          taxRegistrationAddress: z.object({ postalCode: text }).nullish(),
        }),
      ),
    })
    .nullish(),
  fulfillment: z.object({ fulfillmentStatus: word, fulfilledBy: word }).nullish(),
  orderItems: z.array(Item),
  packages: list(
    z.object({
      packageReferenceId: text,
      createdTime: Instant.nullish().catch(null),
      packageStatus: z.object({ status: word, detailedStatus: word }).nullish(),
      carrier: text,
      trackingNumber: text,
      packageItems: list(z.object({ orderItemId: z.string(), quantity: Count })),
    }),
  ),
});
export type Order = z.output<typeof Order>;

/** A row of the search, taken by its number and its date. The rest of a row is read when its sale is, and keeps no other row back. */
export const SearchPage = z.object({
  orders: z.array(z.looseObject({ orderId: z.string().min(1), lastUpdatedTime: Instant.nullish().catch(null) })),
  pagination: z.object({ nextToken: text }).nullish(),
});

export const OneOrder = z.object({ order: z.looseObject({ orderId: z.string().min(1) }) });

const Importe = z
  .object({ currencyAmount: Amount.nullish() })
  .nullish()
  .transform((one) => one?.currencyAmount ?? null);

export type Cargo = { tipo: string; importe: Money; partes: Cargo[] };
const Cargo: z.ZodType<Cargo> = z
  .object({
    breakdownType: z.string(),
    breakdownAmount: Importe,
    get breakdowns() {
      return z.array(Cargo).nullish();
    },
  })
  .transform(({ breakdownType, breakdownAmount, breakdowns }) => ({
    tipo: breakdownType,
    importe: breakdownAmount ?? Money.zero,
    partes: breakdowns ?? [],
  }));

/** A context that tells on which day a payment is released. The word of its type is not certain, so it is known by its field. */
const Contexto = z.looseObject({ contextType: text, maturityDate: Instant.nullish().catch(null) });

export const Transaction = z.object({
  transactionId: text,
  transactionType: word,
  transactionStatus: word,
  postedDate: Instant.nullish().catch(null),
  totalAmount: Importe,
  relatedIdentifiers: list(z.object({ relatedIdentifierName: word, relatedIdentifierValue: text })),
  items: list(
    z.object({
      totalAmount: Importe,
      breakdowns: list(Cargo),
      contexts: list(Contexto),
    }),
  ),
  contexts: list(Contexto),
  breakdowns: list(Cargo),
});
export type Transaction = z.output<typeof Transaction>;

export const Transactions = z.object({
  payload: z.object({ nextToken: text, transactions: list(Transaction) }),
});

export const Participations = z.object({
  payload: z.array(
    z.object({
      marketplace: z.object({ id: z.string(), name: text }),
      storeName: text,
      participation: z.object({ isParticipating: z.boolean() }).nullish(),
    }),
  ),
});

/** The messages that the seller may write about one sale: HAL links, each named by its purpose. */
export const MessagingActions = z.object({
  _links: z.object({ actions: list(z.object({ name: text })) }).nullish(),
});

export const UploadDestination = z.object({
  payload: z.object({
    uploadDestinationId: z.string().min(1),
    url: z.url(),
    headers: z
      .record(z.string(), z.string())
      .nullish()
      .transform((one) => one ?? {}),
  }),
});

export const TokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().int().positive(),
  refresh_token: z.string().min(1).nullish(),
});

/** The answer without an envelope, as in the model; older guides showed one. */
export const RestrictedToken = z
  .union([
    z.object({ restrictedDataToken: z.string().min(1) }),
    z.object({ payload: z.object({ restrictedDataToken: z.string().min(1) }) }),
  ])
  .transform((one) => ('payload' in one ? one.payload : one).restrictedDataToken);

export const LwaError = z.object({ error: z.string().nullish(), error_description: z.string().nullish() });

export const ErrorAnswer = z.object({
  errors: z
    .array(z.object({ code: z.string().nullish(), message: z.string().nullish(), details: z.string().nullish() }))
    .nullish(),
});
