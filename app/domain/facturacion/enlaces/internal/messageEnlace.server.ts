import { z } from 'zod';
import { type Market, MARKETS } from '~/core/market';
import { record } from '~/platform/bitacora.server';
import { defineEffect } from '~/platform/effects/definition';
import { laVenta } from '~/domain/ventas/ordenes/laVenta';
import type { ActoDeMensaje } from '~/domain/mercados/efectos';
import { perMarket } from '~/domain/mercados/registro.server';
import { enlaceUrl, withdrawEnlace } from '../enlaces.server';
import { openToken } from './enlaceToken.server';

/** `para` is who got the message; absent where the message was found by its text, and in evidence from before agents. */
const Evidencia = z.object({
  messageId: z.string().nullable(),
  para: z.enum(['comprador', 'agente']).optional(),
});

/** Sends the link as a message after the sale, by the rules of the marketplace. An unclear answer is looked up by the link itself. */
const defineMensaje = (acto: ActoDeMensaje, market: Market) =>
  defineEffect({
    type: acto.type,
    label: acto.label,
    connection: acto.connection,
    request: z.object({
      enlaceId: z.string(),
      /** Absent in requests from before the marketplace was kept here. */
      market: z.enum(MARKETS).optional(),
      numOrden: z.string(),
      compradorId: z.string().nullable(),
      token: z.string(),
      vence: z.string(),
    }),
    evidence: Evidencia,
    byHand: { says: 'done', evidence: { messageId: null } },
    key: ({ numOrden }) => `venta:${market}:${numOrden}`,
    subjects: ({ enlaceId, market: suyo, numOrden }) => [
      ['enlace', enlaceId],
      ...(suyo ? [laVenta(suyo, numOrden)] : []),
    ],
    summary: ({ numOrden }) => ({ que: `Orden ${numOrden}` }),
    unclear: 'find',
    send: (call) => acto.send(call, textsOf(call.request)),
    find: async (call, known) => known ?? (await acto.find(call, openToken(call.request.enlaceId, call.request.token))),
    confirm: async (_call, evidence) => evidence,
    async settle(trx, { request: { enlaceId, numOrden }, usuarioId }, { para }) {
      await record(trx, {
        usuarioId,
        entidad: 'orden',
        entidadId: numOrden,
        accion: 'enlace enviado',
        datos: {
          enlace: enlaceId,
          por: 'mensaje',
          ...(para === 'agente' && { dicho: 'Lo recibió el asistente de Mercado Libre' }),
        },
      });
    },
    release: (trx, { request: { enlaceId } }) => withdrawEnlace(trx, enlaceId),
  });

/** The effects that send a link as a message, by marketplace. */
export const mensajesConEnlace = perMarket(({ escribirEnVenta }) => escribirEnVenta, defineMensaje);

/** Returns the stored types of those effects, for a condition in SQL. */
export const typesOfMensaje = (): string[] => mensajesConEnlace.all().map(({ type }) => type);

/** Returns the message, and the link alone for a marketplace whose messages are too short for the whole. */
function textsOf({ enlaceId, token, vence }: { enlaceId: string; token: string; vence: string }) {
  const corto = enlaceUrl(openToken(enlaceId, token));
  return {
    largo: `¡Gracias por tu compra! Si necesitas factura, captura tus datos fiscales aquí (hasta el ${vence}): ${corto}`,
    corto,
  };
}
