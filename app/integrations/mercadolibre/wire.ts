import { z } from 'zod';
import { Money } from '~/core/money';
import { InstanteEscrito } from '~/core/fields';

/**
 * The fields of Mercado Libre's answers that we read, in its own words. A word of a list is text, since its lists are open. Unknown fields stay in
 * the raw document, and a field that may be null or absent says so.
 */

/** An id, as text. Mercado Libre writes numbers or text: 16 digits still fit in a double, and zod refuses a number that does not. */
export const Id = z.union([z.string().min(1), z.number().int()]).transform(String);

/** An amount. Mercado Libre writes doubles of pesos and cents. */
const Amount = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^-?\d+(\.\d+)?$/)
      .transform(Number),
  ])
  .transform((pesos) => Money.ofJsonNumber(pesos));

/** An instant, with an offset with or without colon or `Z`, and any number of decimals of a second. */
export const Instant = InstanteEscrito;

const text = z.string().nullish();
/** A count that may come as text. */
const Count = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).pipe(z.number().int());
const id = Id.nullish();
const named = z.object({ id: id, name: text }).nullish();

/** An attribute that tells a variation of a listing from its others: 'Color: Rojo'. */
const Variacion = z.object({ name: text, value_name: text });

export const OrderPayment = z.object({
  id: Id,
  status: z.string(),
  operation_type: text,
  payment_type: text,
  payment_method_id: text,
  transaction_amount: Amount.nullish(),
  transaction_amount_refunded: Amount.nullish(),
  shipping_cost: Amount.nullish(),
  coupon_amount: Amount.nullish().catch(null),
  date_approved: text,
  date_created: text,
  date_last_modified: text,
});
export type OrderPayment = z.output<typeof OrderPayment>;

export const Order = z.object({
  id: Id,
  status: z.string(),
  date_created: Instant,
  date_closed: Instant.nullish(),
  last_updated: Instant.nullish().catch(null),
  date_last_updated: Instant.nullish().catch(null),
  pack_id: id,
  total_amount: Amount.nullish(),
  paid_amount: Amount.nullish(),
  coupon: z.object({ amount: Amount.nullish() }).nullish().catch(null),
  order_items: z
    .array(
      z.object({
        item: z.object({
          id: id,
          title: text,
          seller_sku: text,
          seller_custom_field: text,
          /** The color, the size and the like that the buyer chose among those of the listing. */
          variation_attributes: z.array(Variacion).nullish().catch(null),
        }),
        quantity: Count.pipe(z.number().positive()),
        unit_price: Amount.nullish(),
        /** The whole line without discounts. */
        gross_price: Amount.nullish().catch(null),
        sale_fee: Amount.nullish(),
      }),
    )
    .min(1),
  payments: z.array(OrderPayment).nullish(),
  shipping: z.object({ id: id }).nullish(),
  buyer: z
    .object({
      id: id,
      nickname: text,
      first_name: text,
      last_name: text,
      billing_info: z.object({ id: id }).nullish(),
    })
    .nullish(),
  /** Absent in a partial answer at times. */
  seller: z.object({ id: id }).nullish(),
  tags: z.array(z.string()).nullish(),
  static_tags: z.array(z.string()).nullish(),
});
export type Order = z.output<typeof Order>;

/**
 * The discounts of an order. `amounts` are for all pieces of a line: `total` is what the buyer did not pay, and `seller` the seller's part of it. Whether the
 * price of a piece already carries it is not told.
 */
export const OrderDiscounts = z.object({
  details: z
    .array(
      z.object({
        type: text,
        items: z
          .array(z.object({ amounts: z.object({ total: Amount.nullish(), seller: Amount.nullish() }).nullish() }))
          .nullish(),
      }),
    )
    .nullish(),
});
export type OrderDiscounts = z.output<typeof OrderDiscounts>;

/** A row of the search: an order, and the date of its change. The other fields of a row are known to be wrong. */
export const SearchPage = z.object({
  paging: z.object({ total: Count }),
  results: z.array(
    z.object({
      id: Id,
      last_updated: Instant.nullish().catch(null),
      date_last_updated: Instant.nullish().catch(null),
    }),
  ),
});

/**
 * Returns when a row of the search changed: `date_last_updated`, by which the search goes. The other date may stand beside it, hours apart. A row is
 * compared with rows alone. Null when the row tells no date.
 */
export const rowVersion = (row: z.output<typeof SearchPage>['results'][number]): Date | null =>
  row.date_last_updated ?? row.last_updated ?? null;

/** Returns when an order changed: `last_updated`, or the newest of its other dates where that is missing. */
export function versionOf(order: Order): Date {
  const told = order.last_updated ?? order.date_last_updated;
  if (told) return told;
  const dates = (order.payments ?? []).map(({ date_last_modified }) => Instant.safeParse(date_last_modified));
  return new Date(
    Math.max(
      order.date_created.getTime(),
      order.date_closed?.getTime() ?? 0,
      ...dates.map(({ data }) => data?.getTime() ?? 0),
    ),
  );
}

export const Pack = z.object({
  id: Id,
  status: text,
  orders: z.array(z.object({ id: Id })),
  shipment: z.object({ id: id }).nullish(),
});

const Address = z
  .object({
    address_line: text,
    street_name: text,
    street_number: z.union([z.string(), z.number().transform(String)]).nullish(),
    comment: text,
    zip_code: text,
    city: named,
    state: named,
    neighborhood: named,
    municipality: named,
  })
  .nullish();
export type Address = NonNullable<z.output<typeof Address>>;

const NewShipment = z.object({
  id: Id,
  status: z.string(),
  substatus: text,
  date_created: Instant,
  last_updated: Instant.nullish(),
  tracking_number: id,
  tracking_method: text,
  logistic: z.object({ mode: text, type: text }),
  destination: z
    .object({ receiver_name: text, receiver_phone: text, comments: text, shipping_address: Address })
    .nullish(),
});

const OldShipment = z.object({
  id: Id,
  status: z.string(),
  substatus: text,
  date_created: Instant,
  last_updated: Instant.nullish(),
  tracking_number: id,
  tracking_method: text,
  mode: text,
  logistic_type: text,
  comments: text,
  receiver_address: z
    .intersection(Address.unwrap().unwrap(), z.object({ receiver_name: text, receiver_phone: text }))
    .nullish(),
});

/** A shipment, in either of its two representations. */
export const Shipment = z.union([
  NewShipment.transform(({ logistic, destination, ...rest }) => ({
    ...rest,
    mode: logistic.mode,
    logistic_type: logistic.type,
    receiver_name: destination?.receiver_name,
    receiver_phone: destination?.receiver_phone,
    address: destination?.shipping_address,
    comment: destination?.shipping_address?.comment || destination?.comments,
  })),
  OldShipment.transform(({ receiver_address, comments, ...rest }) => ({
    ...rest,
    receiver_name: receiver_address?.receiver_name,
    receiver_phone: receiver_address?.receiver_phone,
    address: receiver_address as Address | null | undefined,
    comment: receiver_address?.comment || comments,
  })),
]);
export type Shipment = z.output<typeof Shipment>;

export const ShipmentCosts = z.object({
  receiver: z.object({ cost: Amount.nullish() }).nullish(),
  senders: z.array(z.object({ user_id: id, cost: Amount.nullish() })).nullish(),
});
export type ShipmentCosts = z.output<typeof ShipmentCosts>;

/** The buyer's payments for the shipping of a cart. */
export const ShipmentPayments = z
  .array(z.object({ payment_id: Id, amount: Amount.nullish(), status: text }))
  .nullish()
  .transform((payments) => payments ?? []);
export type ShipmentPayments = z.output<typeof ShipmentPayments>;

export const ShipmentItems = z.array(z.object({ order_id: id }));

/** A list: the new view writes an array, the old one a single object. */
export const OrderShipments = z.union([
  z.array(z.object({ id: Id, type: text })),
  z.object({ id: Id, type: text }).transform((one) => [one]),
]);

export const BillingInfo = z.object({
  buyer: z
    .object({
      billing_info: z
        .object({
          name: text,
          last_name: text,
          identification: z.object({ type: text, number: text }).nullish(),
          taxes: z
            .object({ taxpayer_type: z.object({ id: id }).nullish(), cfdi: z.object({ id: id }).nullish() })
            .nullish(),
          address: z.object({ zip_code: text }).nullish(),
        })
        .nullish(),
    })
    .nullish(),
});
export type BillingInfo = z.output<typeof BillingInfo>;

export const PaymentDetail = z.object({
  id: Id,
  status: z.string(),
  order: z.object({ id: id, type: text }).nullish(),
  transaction_amount: Amount,
  transaction_amount_refunded: Amount.nullish(),
  transaction_details: z.object({ net_received_amount: Amount.nullish() }).nullish(),
  money_release_date: Instant.nullish().catch(null),
  charges_details: z
    .array(
      z.object({
        name: z.string(),
        type: text,
        accounts: z.object({ from: text }).nullish(),
        amounts: z.object({ original: Amount.nullish(), refunded: Amount.nullish() }).nullish(),
      }),
    )
    .nullish(),
});
export type PaymentDetail = z.output<typeof PaymentDetail>;

export const User = z.object({
  id: Id,
  nickname: z
    .string()
    .nullish()
    .transform((name) => name ?? ''),
  site_id: z.string(),
  tags: z
    .array(z.string())
    .nullish()
    .transform((tags) => tags ?? []),
});

export const MissedFeeds = z.object({
  messages: z
    .array(
      z.object({
        _id: id,
        id: id,
        resource: text,
        topic: text,
        user_id: id,
        application_id: id,
        sent: Instant.nullish().catch(null),
      }),
    )
    .nullish(),
});

export const TokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullish(),
  expires_in: Count.pipe(z.number().positive()),
  user_id: Id,
  scope: text,
});

/** An error, in any of its shapes; the word for machines is in `error` or in `code`. */
export const ErrorAnswer = z.object({
  error: text,
  code: z.union([z.string(), z.number().transform(String)]).nullish(),
  message: text,
  error_description: text,
});
