import { z } from 'zod';
import { Id } from './wire';

/** What the marketplace's messages and fiscal documents answer, as far as we use it. Their types vary between pages: be lenient. */
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

/** A conversation as we hold it, oldest first. */
export function conversationOf(doc: z.output<typeof Conversation>, seller: string) {
  const { status, substatus } = doc.conversation_status ?? {};
  const received = ({ message_date: date }: Message) => date?.received ?? '';
  return {
    seller,
    bloqueo: status === 'blocked' ? (substatus ?? 'blocked') : null,
    mensajes: doc.messages.toSorted((a, b) => received(a).localeCompare(received(b))),
  };
}

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

/** The service of a seller's own carrier (ME1) in Mexico. */
export const ME1_SERVICE = 231876;

/** How far a package got, in the words the marketplace takes from a seller. */
export type SellerStatus = 'shipped' | 'delivered';

/** What decides whether the label of a shipment can be printed, and what it says. */
export type EnvioPorImprimir = {
  estatus: string;
  subestatus: string | null;
  modo: string | null;
  tipoLogistico: string | null;
  guia: string | null;
  paqueteria: string | null;
};

/** Why a label is not given. The cause comes in capitals, or as `error` in small letters. */
export const LabelFailure = z.object({
  error: text,
  message: text,
  retry: z.boolean().nullish(),
  failed_shipments: z
    .array(z.object({ shipment_id: Id.nullish(), message: text, cause: text }))
    .nullish()
    .transform((failed) => failed ?? []),
});

/** Not yet: asked for again later it may be given. The others are final. */
const LATER_LABEL = /BUFFERED|INVOICE_PENDING|WAITING_FOR_LABEL|REGENERATING/i;
export const GUIA_TODAVIA_NO = 'guiaTodaviaNo';
export const GUIA_NO = 'guiaNo';

/** How the marketplace says no to a label, in our words. */
export function noOfGuia({ error, message, retry, failed_shipments: failed }: z.output<typeof LabelFailure>): {
  code: typeof GUIA_TODAVIA_NO | typeof GUIA_NO;
  dice: string | null;
} {
  const [first] = failed;
  const dice = first?.message || first?.cause || message || error || null;
  const words = [first?.cause, first?.message, error, message].join(' ');
  return { code: retry || LATER_LABEL.test(words) ? GUIA_TODAVIA_NO : GUIA_NO, dice };
}
