import { z } from 'zod';
import { env } from '~/core/env.server';
import { record } from '~/platform/bitacora.server';
import { sendCarta } from '~/platform/effects/carta.server';
import { defineEffect } from '~/platform/effects/definition';
import { enlaceUrl, withdrawEnlace } from './enlaces.server';
import { openToken } from './internal/enlaceToken.server';

/** The letter with a link. At least once: the same letter twice, with the same Message-ID, opens the same page. */
export const mailEnlace = defineEffect({
  type: 'enlace.mail',
  label: 'Correo con el enlace de facturación',
  connection: 'correo',
  request: z.object({
    enlaceId: z.string(),
    numOrden: z.string(),
    email: z.string(),
    token: z.string(),
    vence: z.string(),
  }),
  evidence: z.object({ messageId: z.string() }),
  byHand: { says: 'done', evidence: { messageId: 'confirmado' } },
  key: ({ enlaceId }) => `enlace:${enlaceId}`,
  subjects: ({ enlaceId }) => [['enlace', enlaceId]],
  summary: ({ numOrden, email }) => ({ que: `Orden ${numOrden}`, emails: [email] }),
  unclear: 'repeat',
  async send({ request: { enlaceId, numOrden, email, token, vence }, ref, clients }) {
    return sendCarta({
      ref,
      clients,
      to: [email],
      subject: `Factura tu compra en ${env().MARCA}`,
      text: [
        'Hola:',
        '',
        `Para obtener la factura de tu compra ${numOrden} entra a este enlace (vence el ${vence}):`,
        '',
        enlaceUrl(openToken(enlaceId, token)),
        '',
        'El enlace es solo para esta compra: no lo compartas.',
        '',
        'Gracias por tu compra.',
        env().MARCA,
      ].join('\n'),
    });
  },
  confirm: async (_call, evidence) => evidence,
  async settle(trx, { request: { enlaceId, numOrden }, usuarioId }) {
    await record(trx, {
      usuarioId,
      entidad: 'orden',
      entidadId: numOrden,
      accion: 'enlace enviado',
      datos: { enlace: enlaceId, por: 'correo' },
    });
  },
  release: (trx, { request: { enlaceId } }) => withdrawEnlace(trx, enlaceId),
});
