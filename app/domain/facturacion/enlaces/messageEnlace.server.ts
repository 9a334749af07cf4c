import { z } from 'zod';
import { MARKETS } from '~/core/market';
import { record } from '~/platform/bitacora.server';
import { defineEffect, laVenta } from '~/platform/effects/definition';
import { Refused } from '~/integrations/errors';
import { MAX_MESSAGE } from '~/integrations/mercadolibre/wireWrite';
import type { MercadolibreWriter } from '~/integrations/mercadolibre/write.server';
import { enlaceUrl, withdrawEnlace } from './enlaces.server';
import { openToken } from './internal/enlaceToken.server';

/** What a refusal is marked with when the same message may pass later: a claim ends, a payment is confirmed. */
export const TEMPORAL = 'temporal';

/** The reason for writing that the marketplace has for this. */
const OPTION = 'SEND_INVOICE_LINK';

/**
 * The link as a post-sale message, by the marketplace's rules: an answer where the buyer wrote first, else the reason meant for it while its
 * allowance lasts, else a message of our own where the conversation is open. An unclear answer is looked up by the link itself.
 */
export const messageEnlace = defineEffect({
  type: 'enlace.message',
  label: 'Mensaje con el enlace de facturación',
  connection: 'mercadolibre',
  request: z.object({
    enlaceId: z.string(),
    /** Requests that were accepted before it was written down lack it. */
    market: z.enum(MARKETS).optional(),
    numOrden: z.string(),
    compradorId: z.string().nullable(),
    token: z.string(),
    vence: z.string(),
  }),
  evidence: z.object({ messageId: z.string().nullable() }),
  byHand: { says: 'done', evidence: { messageId: null } },
  key: ({ numOrden }) => `venta:ml:${numOrden}`,
  subjects: ({ enlaceId, market, numOrden }) => [['enlace', enlaceId], ...(market ? [laVenta(market, numOrden)] : [])],
  summary: ({ numOrden }) => ({ que: `Orden ${numOrden}` }),
  unclear: 'find',
  async send({ request, clients }) {
    const ml = clients.ml();
    const pack = request.numOrden;
    const text = textOf(request);
    const conversation = await ml.conversation(pack);
    const wrote = conversation?.mensajes.findLast(({ from }) => from && from.user_id !== conversation.seller)?.from
      ?.user_id;
    const open = conversation !== null && conversation.bloqueo === null;
    if (open && wrote) return { messageId: (await ml.sendMessage(pack, { to: wrote, text })).id };

    const bloqueo = conversation?.bloqueo ?? null;
    const option = (await ml.actionGuide(pack)).find(({ id, enabled }) => id === OPTION && enabled !== false);
    if (option && (option.cap_available ?? 1) > 0)
      return { messageId: (await saying(bloqueo, ml.sendOption(pack, { option: OPTION, text }))).id };
    if (!option && open && request.compradorId)
      return { messageId: (await ml.sendMessage(pack, { to: request.compradorId, text })).id };
    throw option
      ? new Refused('Mercado Libre ya no permite otro mensaje con el enlace en esta venta.')
      : blockedBy(bloqueo);
  },
  async find({ request, clients }, known) {
    return (
      known ?? (await sentWith(clients.ml(), request.numOrden, openToken(request.enlaceId, request.token))) ?? 'absent'
    );
  },
  confirm: async (_call, evidence) => evidence,
  async settle(trx, { request: { enlaceId, numOrden }, usuarioId }) {
    await record(trx, {
      usuarioId,
      entidad: 'orden',
      entidadId: numOrden,
      accion: 'enlace enviado',
      datos: { enlace: enlaceId, por: 'mensaje' },
    });
  },
  release: (trx, { request: { enlaceId } }) => withdrawEnlace(trx, enlaceId),
});

async function sentWith(
  ml: MercadolibreWriter,
  pack: string,
  token: string,
): Promise<{ messageId: string } | undefined> {
  const conversation = await ml.conversation(pack);
  const found = conversation?.mensajes.find(({ text }) => text.includes(token));
  return found && { messageId: found.id };
}

/** Letters of Latin-1 only, and short: the link is what has to arrive. */
function textOf({ enlaceId, token, vence }: { enlaceId: string; token: string; vence: string }): string {
  const url = enlaceUrl(openToken(enlaceId, token));
  const long = `¡Gracias por tu compra! Si necesitas factura, captura tus datos fiscales aquí (hasta el ${vence}): ${url}`;
  return long.length <= MAX_MESSAGE ? long : url;
}

const BLOQUEOS: [RegExp, string, typeof TEMPORAL?][] = [
  [/by_time/, 'Mercado Libre ya no permite mensajes en esta venta: pasaron más de 30 días.'],
  [/by_buyer/, 'El comprador bloqueó los mensajes de esta venta.'],
  [/mediation|claim/, 'La venta tiene un reclamo abierto y Mercado Libre no permite mensajes.', TEMPORAL],
  [/cancelled|refund/, 'La venta fue cancelada o devuelta y Mercado Libre no permite mensajes.'],
  [/payment/, 'El pago de la venta todavía no está confirmado y Mercado Libre no permite mensajes.', TEMPORAL],
  [/fulfillment/, 'La venta es de Mercado Envíos Full y Mercado Libre no permite mensajes.'],
];

/** What the marketplace says no to while the conversation is blocked is refused for that, in words people know. */
async function saying<T>(bloqueo: string | null, sent: Promise<T>): Promise<T> {
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
