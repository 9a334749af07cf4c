import { z } from 'zod';
import { Id } from './wire';

/** A message of a sale. The types of its fields vary from page to page, so the schemas of this file are lenient. */
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
  conversation_status: z.object({ path: text, status: text, substatus: text }).nullish(),
  messages: z.array(Message),
});

/** The users of Mercado Libre that answer in the place of buyers, as it documents them. They name who writes; who is written to is read from the conversation. */
const AGENTES: ReadonlySet<string> = new Set(['3037204279']);

/**
 * Returns a conversation as we hold it, the oldest message first. `otros` are those who may be written to, the likeliest first: whom the last message received
 * came from, then the others of the conversation, the latest first. `agente`: an agent of Mercado Libre answers in the buyer's place. Its address or the
 * writer of the last message tells so.
 */
export function conversationOf(doc: z.output<typeof Conversation>, seller: string) {
  const { path, status, substatus } = doc.conversation_status ?? {};
  const received = ({ message_date: date }: Message) => date?.received ?? '';
  // The newest comes first, which is all that tells two of one instant apart.
  const mensajes = doc.messages.toReversed().toSorted((a, b) => received(a).localeCompare(received(b)));
  const ajeno = (one: Message['from']) => (one && one.user_id !== seller ? [one.user_id] : []);
  const alReves = mensajes.toReversed();
  const otros = [
    ...new Set([...alReves.flatMap(({ from }) => ajeno(from)), ...alReves.flatMap(({ to }) => ajeno(to))]),
  ];
  return {
    seller,
    otros,
    agente: /\/conversations(?:\/|$)/.test(path ?? '') || AGENTES.has(otros[0] ?? ''),
    /** Whether the last message is ours. */
    espera: mensajes.at(-1)?.from?.user_id === seller,
    bloqueo: status === 'blocked' ? (substatus ?? 'blocked') : null,
    mensajes,
  };
}

/** Tells whether a user is an agent of Mercado Libre. */
export const isAgente = (userId: string): boolean => AGENTES.has(userId);

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

/** Most letters of a message, which are of Latin-1. */
export const MAX_MESSAGE = 350;
/** Most bytes of a fiscal document. */
export const MAX_FISCAL_BYTES = 1024 * 1024;

/** The number of the service of a seller's own carrier (ME1) in Mexico. */
export const ME1_SERVICE = 231876;

/** How far a package got, in the words that Mercado Libre takes from a seller. */
export type SellerStatus = 'shipped' | 'delivered';

/** The state that decides whether a label can be printed, with the number and the carrier of the label. */
export type EnvioPorImprimir = {
  estatus: string;
  subestatus: string | null;
  modo: string | null;
  tipoLogistico: string | null;
  guia: string | null;
  paqueteria: string | null;
};

/** A refusal of a label. The cause comes in capitals, or as `error` in small letters. */
export const LabelFailure = z.object({
  error: text,
  message: text,
  retry: z.boolean().nullish(),
  failed_shipments: z
    .array(z.object({ shipment_id: Id.nullish(), message: text, cause: text }))
    .nullish()
    .transform((failed) => failed ?? []),
});

/** Causes that pass: the label may be given later. Other causes are final. */
const LATER_LABEL = /BUFFERED|INVOICE_PENDING|WAITING_FOR_LABEL|REGENERATING/i;
export const GUIA_TODAVIA_NO = 'guiaTodaviaNo';
export const GUIA_NO = 'guiaNo';

/** Returns the refusal of a label in our words: Unavailable for a cause that passes, else Refused. */
export function noOfGuia({ error, message, retry, failed_shipments: failed }: z.output<typeof LabelFailure>): {
  code: typeof GUIA_TODAVIA_NO | typeof GUIA_NO;
  dice: string | null;
} {
  const [first] = failed;
  const dice = first?.message || first?.cause || message || error || null;
  const words = [first?.cause, first?.message, error, message].join(' ');
  return { code: retry || LATER_LABEL.test(words) ? GUIA_TODAVIA_NO : GUIA_NO, dice };
}
