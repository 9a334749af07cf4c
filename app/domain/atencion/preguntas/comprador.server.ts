import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import { MARKETS, type Market } from '~/core/market';
import { record } from '~/platform/bitacora.server';
import { defineEffect } from '~/platform/effects/definition';
import { acceptEffect, isDoneSoon } from '~/platform/effects/effects.server';
import type { CompradorLeido } from '~/domain/mercados/atencion';
import type { Acto, BloqueoDeComprador } from '~/domain/mercados/efectos';
import { fuenteOf, perMarket } from '~/domain/mercados/registro.server';
import { transact, type Db } from '~db/client.server';

const TITULO = 'Error de actualización.';
/** Somebody waits at a page. */
const WAITS_MS = 4_000;
const PREGUNTAS = 10;

const Bloqueo = z.object({ market: z.enum(MARKETS), compradorId: z.string(), bloquear: z.boolean() });
type Bloqueo = z.output<typeof Bloqueo>;

/** Keeps a buyer from asking and from buying, or lets the buyer again. Saying the same twice changes nothing at the marketplace. */
const defineBloqueo = (acto: Acto<BloqueoDeComprador, unknown>) =>
  defineEffect<Bloqueo, unknown, unknown>({
    ...acto,
    request: Bloqueo,
    key: ({ market, compradorId, bloquear }) => `${market}:${compradorId}:${bloquear ? 'bloquear' : 'activar'}`,
    subjects: ({ market, compradorId }) => [['comprador', `${market}:${compradorId}`]],
    summary: ({ compradorId, bloquear }) => ({ que: `${bloquear ? 'Bloquear' : 'Activar'} al cliente ${compradorId}` }),
    async settle(trx, { request: { market, compradorId, bloquear }, usuarioId }) {
      await record(trx, {
        usuarioId,
        entidad: 'comprador',
        entidadId: `${market}:${compradorId}`,
        accion: bloquear ? 'bloquear' : 'activar',
      });
    },
  });

/** The effects that block a buyer, by marketplace. */
export const bloqueos = perMarket(({ bloquear }) => bloquear, defineBloqueo);

/** Blocks the buyer of a question, or lets the buyer in again. Returns as `blockCliente`; throws as it, and as `quienPregunto`. */
export async function setBloqueo(db: Db, preguntaId: string, bloquear: boolean, usuarioId: string): Promise<boolean> {
  return blockCliente(db, { ...(await quienPregunto(db, preguntaId)), bloquear }, usuarioId);
}

/** Asks to block a buyer, or to let the buyer in again. Returns whether the marketplace has it by now. Throws NotAllowed with its words when it said no. */
export async function blockCliente(
  db: Db,
  request: { market: Market; compradorId: string; bloquear: boolean },
  usuarioId: string,
): Promise<boolean> {
  const effect = bloqueos.require(request.market);
  const { id } = await transact(db, (trx) => acceptEffect(trx, effect, { request, usuarioId }));
  return isDoneSoon(db, id, TITULO);
}

/** Returns the buyer who asked a question. Throws NotAllowed when the marketplace does not name the buyer. */
export async function quienPregunto(db: Db, preguntaId: string): Promise<{ market: Market; compradorId: string }> {
  const row = await db
    .selectFrom('pregunta')
    .select(['market', 'compradorId'])
    .where('id', '=', preguntaId)
    .executeTakeFirst();
  if (!row?.compradorId) throw new NotAllowed(TITULO, 'Mercado Libre no dice quién hizo esta pregunta.');
  return { market: row.market, compradorId: row.compradorId };
}

/** Returns the marketplace at which a buyer asked us; undefined for a buyer who never asked. */
export async function findComprador(
  db: Db,
  compradorId: string,
): Promise<{ market: Market; compradorId: string } | undefined> {
  const row = await db
    .selectFrom('pregunta')
    .select('market')
    .where('market', 'in', [...MARKETS])
    .where('compradorId', '=', compradorId)
    .limit(1)
    .executeTakeFirst();
  return row && { market: row.market, compradorId };
}

/**
 * Returns 'Detalle cliente': the buyer as the marketplace tells now, the earlier questions, and the last purchases. `fallo` says why the marketplace could not be asked.
 */
export async function readCliente(db: Db, market: Market, compradorId: string) {
  const [leido, preguntas, compras] = await Promise.all([
    fetchComprador(db, market, compradorId),
    db
      .selectFrom('pregunta')
      .select(['id', 'fecha', 'titulo', 'texto', 'respuesta', 'estatus'])
      .where('market', '=', market)
      .where('compradorId', '=', compradorId)
      .orderBy('fecha', 'desc')
      .limit(PREGUNTAS)
      .execute(),
    db
      .selectFrom('orden')
      .select(['id', 'numOrden', 'fechaCreacion', 'titulo', 'pagado', 'clase'])
      .where('market', '=', market)
      .where('compradorId', '=', compradorId)
      .orderBy('fechaCreacion', 'desc')
      .limit(PREGUNTAS)
      .execute(),
  ]);
  return { compradorId, ...leido, preguntas, compras };
}

async function fetchComprador(
  db: Db,
  market: Market,
  id: string,
): Promise<{ comprador: CompradorLeido | null; fallo: string | null }> {
  try {
    const { atencion } = fuenteOf(market).open(db, { timeoutMs: WAITS_MS });
    return { comprador: (await atencion?.readComprador(id)) ?? null, fallo: null };
  } catch (error) {
    return { comprador: null, fallo: error instanceof Error ? error.message : String(error) };
  }
}
