import { z } from 'zod';
import { env } from '~/core/env.server';
import { defineCarta } from '~/platform/effects/carta.server';
import { enlaceUrl, withdrawEnlace } from '../enlaces.server';
import { openToken } from './enlaceToken.server';

/** The letter with a link. A second letter does no harm: it opens the same page. */
export const mailEnlace = defineCarta({
  type: 'enlace.mail',
  label: 'Correo con el enlace de facturación',
  request: z.object({
    enlaceId: z.string(),
    numOrden: z.string(),
    email: z.string(),
    token: z.string(),
    vence: z.string(),
  }),
  key: ({ enlaceId }) => `enlace:${enlaceId}`,
  subjects: ({ enlaceId }) => [['enlace', enlaceId]],
  summary: ({ numOrden, email }) => ({ que: `Orden ${numOrden}`, emails: [email] }),
  write: ({ request: { enlaceId, numOrden, email, token, vence } }) => ({
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
  }),
  noted: ({ enlaceId, numOrden }) => ({
    entidad: 'orden',
    entidadId: numOrden,
    accion: 'enlace enviado',
    datos: { enlace: enlaceId, por: 'correo' },
  }),
  release: (trx, { request: { enlaceId } }) => withdrawEnlace(trx, enlaceId),
});
