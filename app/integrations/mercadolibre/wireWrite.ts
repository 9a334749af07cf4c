import { z } from 'zod';
import { Id } from './wire';

/** What the marketplace's messages and fiscal documents answer, as far as we use it. Their types vary between pages (reference, 12.1): be lenient. */
const text = z.string().nullish();
const who = z.object({ user_id: Id }).nullish();

export const Message = z.object({
  id: Id,
  from: who,
  to: who,
  status: text,
  message_date: z.object({ received: text }).nullish(),
  text: z
    .union([z.string(), z.object({ plain: z.string() }).transform(({ plain }) => plain)])
    .nullish()
    .transform((plain) => plain ?? ''),
});
export type Message = z.output<typeof Message>;

export const Conversation = z.object({
  conversation_status: z.object({ status: text, substatus: text }).nullish(),
  messages: z.array(Message),
});

export const ActionGuide = z.object({
  options: z.array(
    z.object({
      id: z.string(),
      enabled: z.boolean().nullish(),
      type: text,
      char_limit: z.number().nullish(),
      cap_available: z.number().nullish(),
    }),
  ),
});
export type ActionGuide = z.output<typeof ActionGuide>;

export const SentMessage = z.object({ id: Id.nullish() });

export const FiscalDocuments = z.object({
  fiscal_documents: z.array(z.object({ id: Id, file_type: text, filename: text })),
});

export type FiscalFile = { nombre: string; tipo: 'application/pdf' | 'application/xml'; contenido: Buffer };

/** What a message may be: letters of Latin-1, no more than these. */
export const MAX_MESSAGE = 350;
/** What the marketplace takes of each fiscal document. */
export const MAX_FISCAL_BYTES = 1024 * 1024;

/** The service of a seller's own carrier (ME1) in Mexico (reference, 6.2). */
export const ME1_SERVICE = 231876;

/** How far a package got, in the words the marketplace takes from a seller. */
export type SellerStatus = 'shipped' | 'delivered';
