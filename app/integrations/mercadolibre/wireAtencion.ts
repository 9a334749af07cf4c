import { z } from 'zod';
import { Money } from '~/core/money';
import { Id, Instant } from './wire';

const text = z.string().nullish();
const instant = Instant.nullish().catch(null);
const flag = z.boolean().nullish().catch(null);

export const Question = z.object({
  id: Id,
  item_id: Id,
  status: text,
  /** Empty in an answer that was banned. */
  text: text.transform((one) => one ?? ''),
  date_created: Instant,
  answer: z.object({ text: text.transform((one) => one ?? ''), status: text, date_created: instant }).nullish(),
  /** Missing at times in a question that was read by its id; `buyer_id` stands for it then. */
  from: z.object({ id: Id }).nullish().catch(null),
  buyer_id: Id.nullish().catch(null),
  hold: flag,
});
export type Question = z.output<typeof Question>;

/** A page of questions, whose rows are read one by one: a row that cannot be read keeps no other back. */
export const QuestionsPage = z.object({ questions: z.array(z.unknown()) });

export const Item = z.object({
  id: Id,
  title: text,
  permalink: text,
  seller_custom_field: text,
  attributes: z
    .array(z.object({ id: z.string(), value_name: text }))
    .nullish()
    .catch(null),
});
export type Item = z.output<typeof Item>;

export const PublicUser = z.object({
  id: Id,
  nickname: text,
  permalink: text,
  address: z.object({ city: text, state: text }).nullish().catch(null),
});

/** A list of blocked buyers; empty where nobody is blocked. */
export const BlockedUsers = z.object({ users: z.array(z.object({ id: Id })) });

const Player = z.object({
  role: z.string(),
  type: text,
  user_id: Id.nullish().catch(null),
  available_actions: z
    .array(z.object({ action: z.string(), mandatory: flag, due_date: instant }))
    .nullish()
    .transform((actions) => actions ?? []),
});

export const Claim = z.object({
  id: Id,
  resource: z.string(),
  resource_id: Id,
  status: z.string(),
  type: z.string(),
  stage: text,
  reason_id: Id.nullish().catch(null),
  quantity_type: text,
  players: z
    .array(Player)
    .nullish()
    .transform((players) => players ?? []),
  resolution: z
    .object({ reason: text, date_created: text, benefited: z.array(z.string()).nullish().catch(null), closed_by: text })
    .nullish()
    .catch(null),
  date_created: Instant,
  last_updated: instant,
  related_entities: z.array(z.unknown()).nullish().catch(null),
});
export type Claim = z.output<typeof Claim>;

/** A page of claims. The rows stand under `data`, and not under `results` as elsewhere. */
export const ClaimsPage = z.object({ data: z.array(z.object({ id: Id, last_updated: instant })) });

export const ClaimDetail = z.object({
  due_date: instant,
  action_responsible: text,
  title: text,
  description: text,
  problem: text,
});

/** The messages of a claim, in a bare list. A message has no id: its hash names it. */
export const ClaimMessages = z.array(
  z.object({
    sender_role: text,
    receiver_role: text,
    message: text,
    date_created: text,
    attachments: z
      .array(z.object({ filename: text, original_filename: text }))
      .nullish()
      .catch(null),
    hash: text,
  }),
);
export type ClaimMessage = z.output<typeof ClaimMessages>[number];

const Return = z.object({
  id: Id.nullish(),
  status: text,
  subtype: text,
  related_entities: z.array(z.unknown()).nullish().catch(null),
  status_money: text,
  refund_at: text,
  shipments: z
    .array(
      z.object({
        shipment_id: Id.nullish().catch(null),
        status: text,
        tracking_number: text,
        type: text,
        destination: z.object({ name: text }).nullish().catch(null),
      }),
    )
    .nullish()
    .catch(null),
});
/** The returns of a claim: new answers show one, older ones a list. */
export const Returns = z.union([z.array(Return), Return.transform((one) => [one])]);

/** The review of what came back, by the seller or by a warehouse: one part for each order of the return. */
export const ReturnReviews = z.object({
  reviews: z
    .array(
      z.object({
        resource_reviews: z
          .array(
            z.object({
              stage: text,
              status: text,
              product_condition: text,
              product_destination: text,
              benefited: text,
              seller_status: text,
              seller_reason: text,
              missing_quantity: z.coerce.number().nullish().catch(null),
            }),
          )
          .nullish()
          .transform((parts) => parts ?? []),
      }),
    )
    .nullish()
    .transform((reviews) => reviews ?? []),
});

const Ids = z.array(Id).nullish().catch(null);
/** The changes and replacements of a claim: what is swapped, how far it got, and the orders and packages that it made. */
export const Changes = z.object({
  data: z
    .array(
      z.object({
        type: text,
        status: text,
        status_detail: text,
        items: z
          .array(z.object({ id: Id, quantity: z.coerce.number().nullish().catch(null) }))
          .nullish()
          .catch(null),
        return: z.object({ id: Id }).nullish().catch(null),
        new_orders_ids: Ids,
        new_orders_shipments: z
          .array(z.object({ id: Id }))
          .nullish()
          .catch(null),
        estimated_exchange_date: z.object({ from: text, to: text }).nullish().catch(null),
      }),
    )
    .nullish()
    .transform((changes) => changes ?? []),
});

const Amount = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d+(\.\d+)?$/)
      .transform(Number),
  ])
  .transform((pesos) => Money.ofJsonNumber(pesos));

export const PartialOffers = z.object({
  available_offers: z
    .array(z.object({ amount: Amount, percentage: z.coerce.number() }))
    .nullish()
    .transform((offers) => offers ?? []),
});

/** The cost of a return for the seller. */
export const ReturnCost = z.object({ currency_id: text, amount: Amount });

/** The resolutions that were asked for. No source for Mexico shows their fields, so every field may be missing. */
export const ExpectedResolutions = z.array(
  z.object({ player_role: text, expected_resolution: text, status: text }).catch({}),
);

/** The reasons for which a return may be objected to. */
export const ReturnReasons = z.array(z.object({ id: z.string().min(1), name: text, detail: text }));

/** A file that was uploaded. Claims and returns spell its name in two ways. */
export const UploadedAttachment = z.union([
  z.object({ filename: z.string().min(1) }),
  z.object({ file_name: z.string().min(1) }).transform(({ file_name: filename }) => ({ filename })),
]);

/** Most letters of an answer. */
export const MAX_RESPUESTA = 2_000;
