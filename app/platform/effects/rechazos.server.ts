import { sql } from 'kysely';
import { explainRechazo, type Rechazo } from '~/core/rechazo';
import { sealedWith, unseal } from '~/core/seal.server';
import { keyring } from '~/platform/connections/credentials.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import type { Db } from '~db/client.server';
import type { AttemptOutcome, EffectState } from '~db/columns';
import type { Subject } from './definition';
import { effectsAbout, idsAboutAny } from './subjects.server';

type Ended = { id: string; state: EffectState; connection: string; reason: string | null; detail: string | null };

/**
 * Returns the no of the far side that ended the last effect about a subject: the field, its words, the remedy and the answer as it came. Null when the last
 * effect was not refused, or was refused here before anything left.
 */
export async function readRechazo(db: Db, subject: Subject): Promise<Rechazo | null> {
  const last = await effectsAbout(db, subject)
    .select(['effect.id', 'effect.state', 'effect.connection', 'effect.reason', 'effect.detail'])
    .orderBy('effect.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ? ((await explainEach(db, [last])).get(last.id) ?? null) : null;
}

/** A no of a far side, with the kind of call that it ended. */
export type Negado = { type: string; rechazo: Rechazo };

/**
 * Returns, for each kind of call about any of these subjects, the no of the far side that ended the last one of that kind; the newest first. A kind whose last
 * call was not refused, or was refused here before anything left, has none.
 */
export async function readRechazos(db: Db, subjects: readonly Subject[]): Promise<Negado[]> {
  const { rows } = await sql<Ended & { type: string }>`
    select * from (
      select distinct on (e.type) e.id, e.type, e.state, e.connection, e.reason, e.detail
      from effect e where e.id in (${idsAboutAny(subjects)}) order by e.type, e.id desc
    ) ultimos order by id desc`.execute(db);
  const explained = await explainEach(db, rows);
  return rows.flatMap(({ id, type }) => {
    const rechazo = explained.get(id);
    return rechazo ? [{ type, rechazo }] : [];
  });
}

/** Returns the noes of the far sides that ended these effects, by id. An effect that was not refused, or was refused here, has none. */
export async function rechazosOf(db: Db, effectIds: readonly string[]): Promise<ReadonlyMap<string, Rechazo>> {
  if (effectIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('effect')
    .select(['id', 'state', 'connection', 'reason', 'detail'])
    .where('id', 'in', [...effectIds])
    .execute();
  return explainEach(db, rows);
}

/** Returns rows of a list with the no of the far side that ended the effect of each. */
export async function withRechazo<Fila extends { effectId: string | null }>(
  db: Db,
  filas: readonly Fila[],
): Promise<(Fila & { rechazo: Rechazo | null })[]> {
  const rechazos = await rechazosOf(
    db,
    filas.flatMap(({ effectId }) => effectId ?? []),
  );
  return filas.map((fila) => ({ ...fila, rechazo: (fila.effectId && rechazos.get(fila.effectId)) || null }));
}

/** Outcomes of a try whose answer people read before they decide: the far side said something, and no clear yes. */
const SIN_UN_SI = ['refused', 'account', 'unclear'] as const satisfies readonly AttemptOutcome[];

/**
 * Returns what the far side last answered to an effect that waits for people, where the answer was no clear yes: null while it said nothing, or when the
 * words alone are known and no remedy is.
 */
export async function readDudosa(db: Db, effectId: string): Promise<Rechazo | null> {
  const effect = await db.selectFrom('effect').select('connection').where('id', '=', effectId).executeTakeFirst();
  const attempt = (await lastAttempts(db, [effectId], SIN_UN_SI)).get(effectId);
  if (!effect || !attempt) return null;
  const rechazo = explainRechazo(sideOf(effect.connection), {
    palabras: attempt.message ?? '',
    respuesta: openAnswer(effectId, attempt.sealed),
  });
  return rechazo.respuesta === null && rechazo.remedio === null ? null : rechazo;
}

const sideOf = (connection: string) => CONNECTIONS.find(connection) ?? { label: connection };

async function explainEach(db: Db, rows: readonly Ended[]): Promise<ReadonlyMap<string, Rechazo>> {
  const refused = rows.filter(({ state }) => state === 'refused');
  const attempts = await lastAttempts(
    db,
    refused.map(({ id }) => id),
    ['refused'],
  );
  return new Map(
    refused.flatMap(({ id, connection, reason, detail }): [string, Rechazo][] => {
      const attempt = attempts.get(id);
      if (!attempt) return [];
      // A detail of one word is for machines.
      const palabras = [reason, detail?.includes(' ') && detail].filter(Boolean).join(' · ');
      const dicho = { palabras, codigo: detail ?? '', respuesta: openAnswer(id, attempt.sealed) };
      return [[id, explainRechazo(sideOf(connection), dicho)]];
    }),
  );
}

type Attempt = { effectId: string; message: string | null; sealed: Buffer };

/** Returns the last attempt of each effect that ended in one of these ways after something had left. */
async function lastAttempts(
  db: Db,
  effectIds: readonly string[],
  outcomes: readonly AttemptOutcome[],
): Promise<ReadonlyMap<string, Attempt>> {
  if (effectIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('effectAttempt')
    .distinctOn('effectId')
    .select(['effectId', 'message', 'sealed'])
    .where('effectId', 'in', [...effectIds])
    .where('outcome', 'in', [...outcomes])
    // What a look met that failed answers the look, and nothing that was asked for.
    .where((is) => is.or([is('kind', '!=', 'find'), is('outcome', '!=', 'unclear')]))
    .orderBy('effectId')
    .orderBy('id', 'desc')
    .execute();
  return new Map(
    rows.flatMap(({ sealed, ...attempt }): [string, Attempt][] =>
      sealed ? [[attempt.effectId, { ...attempt, sealed }]] : [],
    ),
  );
}

type Exchange = { method: string; status: number | null; responseBody: string };

/**
 * Returns the answer of an attempt that said no, as it came: the last with a status of refusal, else that of the last write, since looks may follow it,
 * else the last. Null when its seal is of a key that is gone.
 */
function openAnswer(effectId: string, sealed: Buffer): string | null {
  const ring = keyring();
  if (!ring.keys.has(sealedWith(sealed))) return null;
  const exchanges = JSON.parse(unseal(ring, sealed, `effect:${effectId}`).toString('utf8')) as Exchange[];
  // A renewed token follows a 401, and the call is made again.
  const no = exchanges.findLast(({ status }) => status !== null && status >= 400 && status !== 401);
  const write = exchanges.findLast(({ method }) => method !== 'GET');
  return (no ?? write ?? exchanges.at(-1))?.responseBody ?? null;
}
