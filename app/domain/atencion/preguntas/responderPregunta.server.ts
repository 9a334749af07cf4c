import { sql } from 'kysely';
import { z } from 'zod';
import { env } from '~/core/env.server';
import { FALLO, NotAllowed, Stale } from '~/core/errors';
import { type Market, MARKETS } from '~/core/market';
import { record } from '~/platform/bitacora.server';
import { defineEffect, type EffectCatalog } from '~/platform/effects/definition';
import { acceptEffect, isDoneSoon } from '~/platform/effects/effects.server';
import { withdrawEffect } from '~/platform/effects/resolve.server';
import { lastUnsent, livingAbout } from '~/platform/effects/subjects.server';
import { detail } from '~/domain/mercados/detail';
import type { Acto, RespuestaAPregunta } from '~/domain/mercados/efectos';
import { fuenteOf, perMarket } from '~/domain/mercados/registro.server';
import { Refused } from '~/integrations/errors';
import { transact, type Db, type Trx } from '~db/client.server';
import { faltaLlenar } from './plantilla';
import { POR_QUE_NO, SALE_EN_SEGUNDOS, TITULO_PREGUNTA } from './pregunta';
import type { DetenerRespuesta, Responder } from './preguntaForm';
import { bringPregunta } from './preguntas.server';

/** Patience of a page at which somebody waits. */
const WAITS_MS = 4_000;

const Respuesta = z.object({
  preguntaId: z.string(),
  market: z.enum(MARKETS),
  marketId: z.string(),
  texto: z.string(),
});
type Respuesta = z.output<typeof Respuesta>;

/** Reads the question once more and writes it. A question that cannot be read now is left to its notice. */
async function fetch(db: Db, { market, marketId }: Respuesta): Promise<void> {
  const { atencion } = fuenteOf(market).open(db, { timeoutMs: WAITS_MS });
  if (atencion) await detail(() => bringPregunta(db, market, atencion, marketId), 'pregunta', []);
}

/** Answers a question at its marketplace. A clear no reads the question again, so that the answer of somebody else is seen at once. */
const defineRespuesta = (acto: Acto<RespuestaAPregunta, { texto: string }>) =>
  defineEffect<Respuesta, unknown, { texto: string }>({
    ...acto,
    request: Respuesta,
    key: ({ market, marketId }) => `${market}:${marketId}`,
    subjects: ({ preguntaId }) => [['pregunta', preguntaId]],
    summary: ({ marketId, texto }) => ({ que: `Pregunta ${marketId}: «${texto.slice(0, 120)}»` }),
    async send(call) {
      try {
        return await acto.send(call);
      } catch (error) {
        if (error instanceof Refused && !error.details.account) await fetch(call.db, call.request);
        throw error;
      }
    },
    async settle(trx, { request: { preguntaId, texto: pedido }, usuarioId }, { texto }) {
      await trx
        .updateTable('pregunta')
        .set({
          estatus: 'respondida',
          respuesta: texto || pedido,
          respondidaEn: sql`coalesce(respondida_en, now())`,
          respondidaPor: usuarioId,
          leidaEn: sql`greatest(leida_en, now())`,
          version: sql`version + 1`,
        })
        .where('id', '=', preguntaId)
        .execute();
      await record(trx, { usuarioId, entidad: 'pregunta', entidadId: preguntaId, accion: 'responder' });
    },
  });

/** The effects that answer a question, by marketplace. */
export const respuestas = perMarket(({ responder }) => responder, defineRespuesta);

/** Returns the last answer that did not leave, and why; null when the last one left or there is none. `detenida`: a person stopped it. */
export async function unsentOf(
  db: Db,
  market: Market,
  preguntaId: string,
): Promise<{ motivo: string; texto: string; detenida: boolean } | null> {
  const effect = respuestas.of(market);
  const last = effect && (await lastUnsent(db, ['pregunta', preguntaId], effect));
  return last
    ? { motivo: last.reason || FALLO.texto, texto: last.request.texto, detenida: last.state === 'cancelled' }
    : null;
}

/**
 * Asks for an answer, which leaves after `afterMs`, and returns its effect. Throws NotAllowed with the answer of somebody else, or of another effect
 * under way, and Stale when the question changed since the form was opened.
 */
export async function acceptRespuesta(
  trx: Trx,
  { pregunta: id, version, texto }: Responder,
  usuarioId: string,
  { afterMs = 0 }: { afterMs?: number } = {},
): Promise<string> {
  const pregunta = await trx
    .selectFrom('pregunta')
    .leftJoin('usuario', 'usuario.id', 'pregunta.respondidaPor')
    .select(['market', 'marketId', 'estatus', 'respuesta', 'pregunta.version', 'usuario.nombre'])
    .where('pregunta.id', '=', id)
    .forUpdate('pregunta')
    .executeTakeFirst();
  if (!pregunta) throw new NotAllowed(TITULO_PREGUNTA, 'La pregunta ya no existe.');
  const { market, marketId, estatus } = pregunta;
  if (estatus === 'respondida')
    throw new NotAllowed(
      TITULO_PREGUNTA,
      `Ya la respondió ${pregunta.nombre ?? 'alguien más'}: «${pregunta.respuesta ?? ''}»`,
    );
  const [living] = await livingAbout(trx, ['pregunta', id], respuestas.require(market));
  if (living) {
    if (living.request.texto === texto) return living.id;
    throw new NotAllowed(TITULO_PREGUNTA, `Otra respuesta va en camino: «${living.request.texto}»`);
  }
  if (estatus !== 'pendiente')
    throw new NotAllowed(TITULO_PREGUNTA, `${POR_QUE_NO[estatus] ?? 'Ya no se puede responder'}.`);
  if (pregunta.version !== version) throw new Stale(undefined, { titulo: TITULO_PREGUNTA });
  const falta = faltaLlenar(texto);
  if (falta !== null) throw new NotAllowed(TITULO_PREGUNTA, falta, { campo: 'texto' });
  const { id: effectId } = await acceptEffect(trx, respuestas.require(market), {
    request: { preguntaId: id, market, marketId, texto },
    usuarioId,
    afterMs,
  });
  return effectId;
}

/**
 * Asks for an answer and waits a moment. Returns true when the marketplace has the answer, false while it has not said so. Throws as `acceptRespuesta`,
 * and NotAllowed with the words of a marketplace that said no.
 */
export async function answerPregunta(db: Db, form: Responder, usuarioId: string): Promise<boolean> {
  const effectId = await transact(db, (trx) => acceptRespuesta(trx, form, usuarioId));
  return isDoneSoon(db, effectId, TITULO_PREGUNTA);
}

/** Asks for an answer that leaves in `SALE_EN_SEGUNDOS`, and returns its effect. Throws as `acceptRespuesta`. */
export const queueRespuesta = (trx: Trx, form: Responder, usuarioId: string): Promise<string> =>
  acceptRespuesta(trx, form, usuarioId, { afterMs: SALE_EN_SEGUNDOS * 1_000 * env().EFFECT_PACE });

/** Stops an answer that has not left. Its text is in the form of the question again. Throws NotAllowed once the answer leaves, left, or was stopped before. */
export async function stopRespuesta(
  trx: Trx,
  catalog: EffectCatalog,
  { pregunta: id, respuesta }: DetenerRespuesta,
  usuarioId: string,
): Promise<void> {
  const pregunta = await trx.selectFrom('pregunta').select('market').where('id', '=', id).executeTakeFirst();
  const [living] = pregunta ? await livingAbout(trx, ['pregunta', id], respuestas.require(pregunta.market)) : [];
  if (living?.id !== respuesta || living.state !== 'queued')
    throw new NotAllowed(TITULO_PREGUNTA, 'La respuesta ya salió: ya no se puede detener.');
  await withdrawEffect(trx, catalog, respuesta, usuarioId);
}
