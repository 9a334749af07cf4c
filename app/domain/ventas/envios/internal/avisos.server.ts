import type { Market } from '~/core/market';
import { record } from '~/platform/bitacora.server';
import { defineEffect, type Subject } from '~/platform/effects/definition';
import { acceptEffect } from '~/platform/effects/effects.server';
import { lastDone, lockLiving } from '~/platform/effects/subjects.server';
import type { ActoDeAviso, EnvioNuestro } from '~/domain/mercados/efectos';
import { fuenteOf, perMarket } from '~/domain/mercados/registro.server';
import { estatusLabel } from '~/domain/ventas/ordenes/estatus';
import type { Trx } from '~db/client.server';
import { avanceOf, PROPIO, rastreoUrl } from '../envio';
import { isVendida } from '../guiaComprada.server';

/** Tells a marketplace how a package of ours stands; the marketplace tells the buyer. A change that came while this was on its way is told when it ends. */
const defineAviso = (acto: ActoDeAviso, market: Market) =>
  defineEffect({
    ...acto,
    key: ({ envioId }) => `envio:${envioId}`,
    subjects: ({ envioId }) => [['envio', envioId]],
    async settle(trx, { request: { envioId, guia, paqueteria }, usuarioId }, { respuesta, estado, muestra }) {
      const quien = [paqueteria, guia].filter(Boolean).join(' ');
      const mostrado = muestra && [estatusLabel(muestra.estatus), muestra.guia && `guía ${muestra.guia}`];
      await record(trx, {
        usuarioId,
        entidad: 'envio',
        entidadId: envioId,
        accion: acto.accion,
        datos: {
          dicho: [estado && estatusLabel(estado), quien].filter(Boolean).join(', '),
          respuesta: [respuesta, mostrado && `Muestra: ${mostrado.filter(Boolean).join(', ')}.`]
            .filter(Boolean)
            .join(' '),
        },
      });
      await tellEnvio(trx, envioId, null);
    },
    async release(trx, { request }) {
      const aviso = acto.avisoOf(await readEnvio(trx, request.envioId, market));
      if (aviso && !acto.covers(request, aviso)) await tellEnvio(trx, request.envioId, null);
    },
  });

/** The effects that tell a marketplace of a package, by marketplace. */
export const avisosDeEnvio = perMarket(({ avisarEnvio }) => avisarEnvio, defineAviso);

/** Reads a package as marketplaces are told of it. */
async function readEnvio(trx: Trx, envioId: string, market: Market): Promise<EnvioNuestro> {
  const { marketId, propio, modo, estatus, receptorId, ...envio } = await trx
    .selectFrom('envio')
    .where('id', '=', envioId)
    .where('market', '=', market)
    .select([
      'marketId',
      'propio',
      'modo',
      'estatus',
      'guia',
      'paqueteria',
      'paqueteriaUrl',
      (eb) =>
        eb
          .selectFrom('orden')
          .whereRef('orden.envioId', '=', 'envio.id')
          .select('compradorId')
          .orderBy('orden.marketId')
          .limit(1)
          .as('receptorId'),
    ])
    .executeTakeFirstOrThrow();
  const { guia, paqueteria } = envio;
  return {
    envioId,
    marketId,
    conocido: !marketId.startsWith(PROPIO),
    propio,
    modo,
    avance: avanceOf(estatus),
    guia,
    paqueteria,
    url: rastreoUrl(envio),
    receptorId,
    vendida: guia !== null && (await isVendida(trx, envioId, guia)),
  };
}

/**
 * Tells the marketplace what it takes of a package that we send ourselves, unless the marketplace knows. An effect already on its way is held
 * until this transaction ends: when that effect settles it sees this change, and tells it then.
 */
export async function tellEnvio(trx: Trx, envioId: string, usuarioId: string | null): Promise<void> {
  const { market } = await trx.selectFrom('envio').select('market').where('id', '=', envioId).executeTakeFirstOrThrow();
  const acto = fuenteOf(market).efectos?.avisarEnvio;
  const aviso = acto?.avisoOf(await readEnvio(trx, envioId, market));
  if (!acto || !aviso) return;
  const effect = avisosDeEnvio.require(market);
  const subject: Subject = ['envio', envioId];
  for (let created = false; !created;) {
    if (await lockLiving(trx, subject, effect)) return;
    const told = await lastDone(trx, subject, effect);
    if (told && acto.covers(told, aviso)) return;
    const request = told ? (acto.corrects?.(aviso) ?? aviso) : aviso;
    ({ created } = await acceptEffect(trx, effect, { request, usuarioId }));
  }
}
