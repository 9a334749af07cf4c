import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import type { Db, Trx } from '~db/client.server';
import { ApiProblem } from './problem.server';

/** Time for which a key is held by the request that works on it. After that a repeat does the work, since the process may have died. */
const HELD_SECONDS = 90;
/** Time that a repeat waits for the first answer, and time between its looks. */
const PATIENCE_MS = 25_000;
const LOOK_MS = 100;
/** Time for which an answer is given to repeats. */
const KEPT = sql<Date>`now() - interval '24 hours'`;

export type Key = { quien: string; llave: string; huella: Buffer };
/** A key with the claim of the request that works on it. A request that lost its claim keeps no answer. */
type Held = Key & { claim: string };
export type Kept = { status: number; cuerpo: string };

export const readKey = (request: Request): string | null => {
  const llave = request.headers.get('Idempotency-Key');
  if (llave === null) return null;
  if (!/^[\x21-\x7e]{1,200}$/.test(llave))
    throw new ApiProblem(
      'peticion-invalida',
      'Idempotency-Key admite de 1 a 200 letras, cifras y signos, sin espacios.',
      { bandera: true },
    );
  return llave;
};

/** Returns the fingerprint of a request. Another request under the same key is refused. */
export const huellaOf = (...parts: string[]) => createHash('sha256').update(JSON.stringify(parts)).digest();

/** Returns a UUID made of a key (version 8: our own form). */
export function claveOf(quien: string, llave: string): string {
  const hex = huellaOf(quien, llave).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** Requests under way in this process, by key. A repeat in the same process waits here without asking the database. */
const here = new Map<string, Promise<unknown>>();

/**
 * Runs a piece of work once for its key. `work` receives the function that keeps its answer, in its own transaction or after it. Repeats get that
 * answer, whether they come during the work or later.
 */
export async function once(
  db: Db,
  key: Key,
  work: (keep: (at: Db | Trx, kept: Kept) => Promise<void>) => Promise<Response>,
): Promise<{ fresh: Response } | { kept: Kept }> {
  const name = `${key.quien}\n${key.llave}`;
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    await here.get(name)?.catch(() => undefined);
    if (here.has(name)) continue;
    const mine = take(db, key);
    here.set(
      name,
      mine.catch(() => undefined),
    );
    let taken;
    try {
      taken = await mine;
    } finally {
      here.delete(name);
    }
    if ('kept' in taken) return taken;
    if ('claim' in taken) {
      const held = { ...key, claim: taken.claim };
      const working = work((at, kept) => keep(at, held, kept));
      here.set(name, working);
      try {
        const fresh = await working;
        return { fresh };
      } finally {
        here.delete(name);
        // No answer was kept, so a repeat does the work.
        await letGo(db, held);
      }
    }
    if (performance.now() > until)
      throw new ApiProblem('en-curso', 'La primera petición con esta llave sigue en curso.', {
        headers: { 'Retry-After': '5' },
      });
    await wait(LOOK_MS);
  }
}

async function take(
  db: Db,
  { quien, llave, huella }: Key,
): Promise<{ claim: string } | { kept: Kept } | { busy: true }> {
  const held = sql<Date>`now() + make_interval(secs => ${HELD_SECONDS})`;
  const taken = await db
    .insertInto('respuestaApi')
    .values({ quien, llave, huella, tomadaHasta: held })
    .onConflict((on) =>
      on
        .columns(['quien', 'llave'])
        .doUpdateSet({ huella, tomadaHasta: held, status: null, cuerpo: null, creadaEn: sql`now()` })
        // The answer is too old to be given, or its process died.
        .where(
          sql<boolean>`respuesta_api.creada_en < ${KEPT} or (respuesta_api.status is null and respuesta_api.tomada_hasta < now())`,
        ),
    )
    .returning(sql<string>`tomada_hasta::text`.as('claim'))
    .executeTakeFirst();
  if (taken) return taken;
  const found = await db
    .selectFrom('respuestaApi')
    .select(['huella', 'status', 'cuerpo'])
    .where('quien', '=', quien)
    .where('llave', '=', llave)
    .executeTakeFirst();
  if (!found) return { busy: true };
  if (!found.huella.equals(huella))
    throw new ApiProblem('llave-reutilizada', 'Esta llave ya se usó para otra petición. Cada petición lleva la suya.');
  if (found.status === null) return { busy: true };
  return { kept: { status: found.status, cuerpo: found.cuerpo ?? '' } };
}

async function keep(at: Db | Trx, held: Held, { status, cuerpo }: Kept): Promise<void> {
  const { numUpdatedRows } = await mine(
    at.updateTable('respuestaApi').set({ status, cuerpo }),
    held,
  ).executeTakeFirst();
  // Another request took the key over, so this transaction is undone.
  if (numUpdatedRows === 0n)
    throw new ApiProblem('en-curso', 'Otra petición con esta llave la está atendiendo.', {
      headers: { 'Retry-After': '5' },
    });
}

async function letGo(db: Db, held: Held): Promise<void> {
  await mine(db.deleteFrom('respuestaApi'), held).execute();
}

const mine = <Q extends { where(condition: RawBuilder<boolean>): Q }>(rows: Q, { quien, llave, claim }: Held): Q =>
  rows.where(
    sql<boolean>`quien = ${quien} and llave = ${llave} and status is null and tomada_hasta = ${claim}::timestamptz`,
  );
