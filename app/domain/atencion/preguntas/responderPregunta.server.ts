import { sql } from 'kysely';
import { z } from 'zod';
import { FALLO, NotAllowed, Stale } from '~/core/errors';
import { MARKETS } from '~/core/market';
import { record } from '~/platform/bitacora.server';
import { defineEffect } from '~/platform/effects/definition';
import { acceptEffect, isDoneSoon } from '~/platform/effects/effects.server';
import { lastRefused, livingAbout } from '~/platform/effects/subjects.server';
import { detail } from '~/domain/mercados/detail';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { Refused } from '~/integrations/errors';
import type { MercadolibreWriter } from '~/integrations/mercadolibre/write.server';
import type { Db, Trx } from '~db/client.server';
import { faltaLlenar } from './plantilla';
import { POR_QUE_NO, TITULO_PREGUNTA } from './pregunta';
import type { Responder } from './preguntaForm';
import { bringPregunta } from './preguntas.server';

/** Somebody waits at a page. */
const WAITS_MS = 4_000;

type Question = NonNullable<Awaited<ReturnType<MercadolibreWriter['question']>>>;

const Respuesta = z.object({
  preguntaId: z.string(),
  market: z.enum(MARKETS),
  marketId: z.string(),
  texto: z.string(),
});
type Respuesta = z.output<typeof Respuesta>;

/** A text as two of them are compared: the marketplace trims, and joins lines in its own way. */
const llano = (texto: string) => texto.normalize('NFC').replace(/\s+/g, ' ').trim();

/** Ours, where the marketplace holds this answer; one it took away has no text, and nobody else's would be left without one. */
function isOurs({ answer }: Question, { texto }: Respuesta): boolean {
  return answer != null && (llano(answer.text) === llano(texto) || (answer.text === '' && answer.status === 'BANNED'));
}

/** Null while it waits; throws when it can no longer be answered, with what somebody else said where that is why. */
function requireSinRespuesta(question: Question | null, respuesta: Respuesta): 'nuestra' | null {
  if (!question) throw new Refused('La pregunta ya no existe en Mercado Libre.');
  if (question.answer) {
    if (isOurs(question, respuesta)) return 'nuestra';
    throw new Refused(`Ya la respondió alguien más: «${question.answer.text}»`);
  }
  if (question.status === 'UNANSWERED' || question.status == null) return null;
  throw new Refused('Mercado Libre ya no deja responder esta pregunta.');
}

async function answer(ml: MercadolibreWriter, request: Respuesta): Promise<string> {
  if (requireSinRespuesta(await ml.question(request.marketId), request) === 'nuestra') return request.texto;
  try {
    return (await ml.answerQuestion(request.marketId, request.texto)) ?? request.texto;
  } catch (error) {
    if (!(error instanceof Refused) || error.details.account) throw error;
    // Nothing says with which word a second answer is refused: the question itself tells whose stands.
    if (requireSinRespuesta(await ml.question(request.marketId), request) === 'nuestra') return request.texto;
    throw error;
  }
}

/** The question as it stands now, where it can be read: what somebody else answered is seen at once. */
async function fetch(db: Db, { market, marketId }: Respuesta): Promise<void> {
  const { atencion } = fuenteOf(market).open(db, { timeoutMs: WAITS_MS });
  if (atencion) await detail(() => bringPregunta(db, market, atencion, marketId), 'pregunta', []);
}

/**
 * The answer to a question. The marketplace takes one, so an unclear one is found in the question itself. Somebody else's there proves that ours did not arrive: it is sent
 * once more, and that send is refused with what they said.
 */
export const responderPregunta = defineEffect({
  type: 'pregunta.responder',
  label: 'Respuesta a una pregunta',
  connection: 'mercadolibre',
  request: Respuesta,
  evidence: z.object({ texto: z.string() }),
  byHand: { says: 'done', evidence: { texto: '' } },
  key: ({ market, marketId }) => `${market}:${marketId}`,
  subjects: ({ preguntaId }) => [['pregunta', preguntaId]],
  summary: ({ marketId, texto }) => ({ que: `Pregunta ${marketId}: «${texto.slice(0, 120)}»` }),
  unclear: 'find',
  async send({ request, clients, db }) {
    try {
      return { texto: await answer(clients.ml(), request) };
    } catch (error) {
      if (error instanceof Refused && !error.details.account) await fetch(db, request);
      throw error;
    }
  },
  async find({ request, clients }, known) {
    if (known) return known;
    const question = await clients.ml().question(request.marketId);
    return question && isOurs(question, request) ? { texto: question.answer?.text || request.texto } : 'absent';
  },
  confirm: async (_call, evidence) => evidence,
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

/** The last answer that did not leave, of a question that still waits, and why; null when there is none. */
export async function unsentOf(db: Db, preguntaId: string): Promise<{ motivo: string; texto: string } | null> {
  const last = await lastRefused(db, ['pregunta', preguntaId], responderPregunta);
  return last ? { motivo: last.reason || FALLO.texto, texto: last.request.texto } : null;
}

/** Commits to an answer. What somebody else answered meanwhile is said, and nothing typed is lost: the form comes back with it. */
export async function acceptRespuesta(
  trx: Trx,
  { pregunta: id, version, texto }: Responder,
  usuarioId: string,
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
  const [living] = await livingAbout(trx, ['pregunta', id], responderPregunta);
  if (living) {
    if (living.request.texto === texto) return living.id;
    throw new NotAllowed(TITULO_PREGUNTA, `Otra respuesta va en camino: «${living.request.texto}»`);
  }
  if (estatus !== 'pendiente')
    throw new NotAllowed(TITULO_PREGUNTA, `${POR_QUE_NO[estatus] ?? 'Ya no se puede responder'}.`);
  if (pregunta.version !== version) throw new Stale(undefined, { titulo: TITULO_PREGUNTA });
  const falta = faltaLlenar(texto);
  if (falta !== null) throw new NotAllowed(TITULO_PREGUNTA, falta, { campo: 'texto' });
  const { id: effectId } = await acceptEffect(trx, responderPregunta, {
    request: { preguntaId: id, market, marketId, texto },
    usuarioId,
  });
  return effectId;
}

/** The same, for who waits at a page: whether the marketplace has it by now. */
export async function answerPregunta(db: Db, form: Responder, usuarioId: string): Promise<boolean> {
  const effectId = await db.transaction().execute((trx) => acceptRespuesta(trx, form, usuarioId));
  return isDoneSoon(db, effectId, TITULO_PREGUNTA);
}
