import { z } from 'zod';
import { Refused } from '~/integrations/errors';
import { type FiscalFile, MAX_FISCAL_BYTES, MAX_MESSAGE } from '~/integrations/mercadolibre/wireWrite';
import type { MercadolibreWriter } from '~/integrations/mercadolibre/write.server';
import type { Interlocutor } from '../../atencion';
import { type ActoDeEntrega, type ActoDeMensaje, TEMPORAL } from '../../efectos';

/**
 * Keeps the CFDI with the sale, where the buyer finds it; Mercado Libre tells the buyer. The sale holds one PDF and one XML: where there are
 * others, these take their place.
 */
export const entregarCfdi: ActoDeEntrega<{ archivos: string[] }> = {
  type: 'ml.fiscalDocument',
  label: 'CFDI en la venta de Mercado Libre',
  connection: 'mercadolibre',
  accion: 'subir a Mercado Libre',
  noVigente: 'La factura ya no está vigente: no se sube a la venta.',
  evidence: z.object({ archivos: z.array(z.string()) }),
  byHand: { says: 'done', evidence: { archivos: [] } },
  unclear: 'find',
  again: true,
  async send({ request: { numOrden }, clients }, { folio, pdf, xml }) {
    const files = fit([
      { nombre: `${folio}.pdf`, tipo: 'application/pdf', contenido: await pdf() },
      { nombre: `${folio}.xml`, tipo: 'application/xml', contenido: await xml() },
    ]);
    const ml = clients.ml();
    if (!(await ml.uploadFiscalDocuments(numOrden, files)) && !(await findFiles(ml, numOrden, folio))) {
      await ml.deleteFiscalDocuments(numOrden);
      if (!(await ml.uploadFiscalDocuments(numOrden, files)))
        throw new Refused('La venta tiene otro documento fiscal que Mercado Libre no deja reemplazar.');
    }
    return { archivos: files.map(({ nombre }) => nombre) };
  },
  async find({ request: { numOrden }, clients }, folio) {
    const archivos = await findFiles(clients.ml(), numOrden, folio);
    return archivos ? { archivos } : 'absent';
  },
  confirm: async (_call, { archivos }) => archivos,
};

/** Returns the files of this folio that the sale holds; undefined unless the XML is among them. */
async function findFiles(ml: MercadolibreWriter, pack: string, folio: string): Promise<string[] | undefined> {
  const names = (await ml.fiscalDocuments(pack))
    .map(({ filename }) => filename ?? '')
    .filter((name) => name === `${folio}.pdf` || name === `${folio}.xml`);
  return names.includes(`${folio}.xml`) ? names : undefined;
}

/** Returns the files of at most 1 MB. A PDF may be missing, since the XML is the CFDI itself; without the XML it throws Refused. */
function fit(files: FiscalFile[]): FiscalFile[] {
  const small = files.filter(({ contenido }) => contenido.length <= MAX_FISCAL_BYTES);
  if (!small.some(({ tipo }) => tipo === 'application/xml'))
    throw new Refused('El XML pasa de 1 MB, el máximo que Mercado Libre recibe.');
  return small;
}

/** Mercado Libre's own reason for writing about an invoice. */
const OPTION = 'SEND_INVOICE_LINK';

/**
 * Writes to the other side of a sale, by Mercado Libre's rules: an answer where the other side wrote first, else the reason meant for invoices while
 * its allowance lasts, else a message of our own where the conversation is open. Messages take letters of Latin-1 only.
 */
export const escribirEnVenta: ActoDeMensaje = {
  type: 'enlace.message',
  label: 'Mensaje con el enlace de facturación',
  connection: 'mercadolibre',
  async send({ request, clients }, { largo, corto }) {
    const ml = clients.ml();
    const pack = request.numOrden;
    const text = largo.length <= MAX_MESSAGE ? largo : corto;
    const conversation = await ml.conversation(pack);
    const open = conversation !== null && conversation.bloqueo === null;
    const para: Interlocutor = conversation?.agente ? 'agente' : 'comprador';
    // An agent takes one message at a time, and answers in 48 working hours.
    if (open && conversation.agente && conversation.espera) throw new Refused(AGENTE_SIN_CONTESTAR, { code: TEMPORAL });
    const otros = [...(conversation?.otros ?? []), ...(request.compradorId ? [request.compradorId] : [])];
    if (open && conversation.otros.length > 0) return { messageId: await sendToOne(ml, pack, otros, text), para };

    const bloqueo = conversation?.bloqueo ?? null;
    const option = (await ml.actionGuide(pack)).find(({ id, enabled }) => id === OPTION && enabled !== false);
    if (option && (option.cap_available ?? 1) > 0)
      return { messageId: (await orWhyBlocked(bloqueo, ml.sendOption(pack, { option: OPTION, text }))).id, para };
    if (!option && open && otros.length > 0) return { messageId: await sendToOne(ml, pack, otros, text), para };
    throw option
      ? new Refused('Mercado Libre ya no permite otro mensaje con el enlace en esta venta.')
      : blockedBy(bloqueo);
  },
  async find({ request: { numOrden }, clients }, parte) {
    const conversation = await clients.ml().conversation(numOrden);
    const found = conversation?.mensajes.find(({ text }) => text.includes(parte));
    return found ? { messageId: found.id } : 'absent';
  },
};

const AGENTE_SIN_CONTESTAR =
  'Esta venta la atiende el asistente de Mercado Libre y todavía no contesta el mensaje anterior. Recibe uno a la vez: espera su respuesta, a más tardar en 48 horas hábiles.';
/** The no to a message for somebody who is no longer the other side. */
const NO_ES_SUYA = /receiver does not belong/i;

/**
 * Sends to the likeliest of those who may be written to. Mercado Libre may put an agent in the buyer's place, or take it away, in the middle of a conversation:
 * after a no to the receiver the next one is tried. Throws Refused in words when none is the other side.
 */
async function sendToOne(ml: MercadolibreWriter, pack: string, otros: readonly string[], text: string) {
  let no: Refused | undefined;
  for (const to of new Set(otros)) {
    try {
      return (await ml.sendMessage(pack, { to, text })).id;
    } catch (error) {
      if (!(error instanceof Refused) || !NO_ES_SUYA.test(error.details.detail ?? '')) throw error;
      no = error;
    }
  }
  throw new Refused(
    'Mercado Libre cambió quién recibe los mensajes de esta venta y todavía no dice quién. Espera a que conteste y envíalo otra vez.',
    { ...no?.details, code: TEMPORAL, cause: no },
  );
}

const BLOQUEOS: [RegExp, string, typeof TEMPORAL?][] = [
  [
    /ai_assistant/,
    'El asistente de Mercado Libre atendió esta venta y ya no recibe mensajes: pasaron sus 48 horas hábiles.',
  ],
  [/claim_change_open/, 'La venta tiene un cambio de producto abierto y Mercado Libre no permite mensajes.', TEMPORAL],
  [/claim_change_closed/, 'La venta terminó en un cambio de producto y Mercado Libre ya no permite mensajes.'],
  [/by_time/, 'Mercado Libre ya no permite mensajes en esta venta: pasaron más de 30 días.'],
  [/by_buyer/, 'El comprador bloqueó los mensajes de esta venta.'],
  [/mediation|claim/, 'La venta tiene un reclamo abierto y Mercado Libre no permite mensajes.', TEMPORAL],
  [/cancelled|refund/, 'La venta fue cancelada o devuelta y Mercado Libre no permite mensajes.'],
  [/payment/, 'El pago de la venta todavía no está confirmado y Mercado Libre no permite mensajes.', TEMPORAL],
  [/fulfillment/, 'La venta es de Mercado Envíos Full y Mercado Libre no permite mensajes.'],
];

/** Waits for a message to go. Where the conversation is blocked, a no is thrown as Refused with the reason of the block, in words people know. */
async function orWhyBlocked<T>(bloqueo: string | null, sent: Promise<T>): Promise<T> {
  try {
    return await sent;
  } catch (error) {
    if (!(error instanceof Refused) || error.details.account || bloqueo === null) throw error;
    throw blockedBy(bloqueo, error);
  }
}

function blockedBy(substatus: string | null, cause?: unknown): Refused {
  const [, texto, code] = BLOQUEOS.find(([pattern]) => substatus !== null && pattern.test(substatus)) ?? [
    null,
    'Mercado Libre no permite escribirle al comprador de esta venta.',
  ];
  return new Refused(texto, { ...(code && { code }), cause });
}
