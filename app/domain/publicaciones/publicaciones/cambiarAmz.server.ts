import { z } from 'zod';
import { env } from '~/core/env.server';
import { defineEffect, StillWorking, TurnedDown } from '~/platform/effects/definition';
import { findFuente } from '~/domain/mercados/registro.server';
import { enqueue } from '~db/queue/catalog.server';
import {
  settleCambio,
  Cambio,
  giveBackCambio,
  Dicho,
  isOurs,
  show,
  requireVigente,
  subjectsOf,
} from './internal/cambio.server';

const CONEXION = 'amazon';
/** What was taken in shows after some minutes. What has not shown for an hour is told again. */
const SE_ESPERA_MS = 3_600_000;

const Recibo = z.object({
  submissionId: z.string().nullable(),
  /** When it was taken in. */ en: z.string(),
  /** Errors that were there before it. */ antes: z.array(z.string()),
});

const seAgoto = (desde: string): boolean => Date.now() - Date.parse(desde) > SE_ESPERA_MS * env().EFFECT_PACE;
const AUSENTE = 'Amazon ya no tiene esta publicación.';
const NO_SE_VIO = 'Amazon lo recibió y en una hora no lo mostró.';

/**
 * Changes price or stock of one listing. Amazon says that it took a change in, and works on it by itself: it is done when the listing shows it, and refused when the listing
 * shows an error about it that was not there before.
 */
export const cambiarAmz = defineEffect({
  type: 'amz.publicacion',
  label: 'Cambio de una publicación en Amazon',
  connection: CONEXION,
  request: Cambio,
  evidence: Recibo,
  key: ({ publicacionId }) => publicacionId,
  subjects: subjectsOf,
  summary: ({ clave }) => ({ que: clave }),
  unclear: 'find',
  again: true,
  ready: ({ id, request, db }) => requireVigente(db, id, request),
  async send({ request, clients }) {
    const recibo = await clients.amz().publicaciones.cambiar(request);
    return { ...recibo, en: new Date().toISOString() };
  },
  async find({ request, clients }, known) {
    if (known) return known;
    const hay = await clients.amz().publicaciones.mostrada(request.clave);
    return hay && show(Dicho.parse({ ...hay, subestatus: [] }), request)
      ? { submissionId: null, en: new Date().toISOString(), antes: hay.huellas }
      : 'absent';
  },
  async confirm({ request, clients }, { en, antes }) {
    const hay = await clients.amz().publicaciones.mostrada(request.clave);
    const error = hay?.erroresDe(request, antes) ?? null;
    if (error !== null) throw new TurnedDown(error);
    const dicho = hay && Dicho.parse({ ...hay, subestatus: [] });
    if (dicho && show(dicho, request)) return dicho;
    if (seAgoto(en)) throw new TurnedDown(hay ? NO_SE_VIO : AUSENTE);
    throw new StillWorking('Amazon lo recibió y todavía no lo muestra');
  },
  settle: (trx, effect, dicho) => settleCambio(trx, effect, dicho),
  async release(trx, effect, razon) {
    await giveBackCambio(trx, effect, razon);
    // What it shows now may be another status than the one we know.
    const fuente = findFuente(CONEXION);
    if (fuente && !isOurs(razon)) await enqueue(trx, 'publicaciones.sync', { market: fuente.market, modo: 'movidas' });
  },
});
