import { type RawBuilder, sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import type { Market, RunKind } from '~/core/market';
import type { Fuente } from '~/domain/mercados/mercado';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import { startRun } from '~/platform/syncRuns.server';
import type { Db, Trx } from '~db/client.server';
import { TITULO } from './tienda.server';

/** Facts that a marketplace tells of one listing or of a few at a time: each listing is asked for at its own due time, a bounded number in each run. */

/** The most days that a refused reading waits. It waits one day after the first refusal, and twice as long after each further one. */
const MAX_DIAS = 32;
/** Questions in a row without an answer that end a run. */
const SILENCIOS = 3;
/** Refusals in a row that speak of the account: no listing of it is asked for before tomorrow. */
const NEGADAS = 3;

export type Pendiente = { id: string; clave: string };
export type Negada = { clave: string; negada: string; cuenta: boolean };

/** A reading by turns. `tabla` keeps one row for each listing, with its due time and why the last reading came to nothing. */
type Turnos<H extends { clave: string }> = {
  kind: RunKind;
  tabla: 'publicacion_competencia' | 'publicacion_promociones';
  lectura: { porLectura: number; leer(claves: readonly string[]): Promise<(H | Negada)[]> };
  pendientes: readonly Pendiente[];
  /** SQL: the condition on listings (`publicacion`) that are asked for. */
  cuales: RawBuilder<unknown>;
  /** Keeps an answer to a question that was asked at `desde`. */
  save(trx: Trx, id: string, una: H, desde: Date): Promise<void>;
};

const isNegada = (una: { clave: string }): una is Negada => 'negada' in una;

/**
 * Reads the listings that are due, and returns how many told something. Each answer is kept as it comes, so a run that was stopped goes on with the rest. Where no
 * answer comes, or the marketplace refuses, what was read before stays with its age.
 */
export async function readByTurns<H extends { clave: string }>(
  db: Db,
  fuente: Fuente,
  turnos: Turnos<H>,
  signal?: AbortSignal,
): Promise<number> {
  const { kind, tabla, lectura, pendientes } = turnos;
  const run = await startRun(db, fuente.source, kind);
  let [silencios, negadas] = [0, 0];
  try {
    for (let at = 0; at < pendientes.length; at += lectura.porLectura) {
      signal?.throwIfAborted();
      const lote = pendientes.slice(at, at + lectura.porLectura);
      run.counts.seen += lote.length;
      const desde = await ahora(db);
      try {
        const halladas = await lectura.leer(lote.map(({ clave }) => clave));
        silencios = 0;
        for (const una of halladas) if (isNegada(una)) run.fail(`Publicación ${una.clave}`, una.negada);
        run.counts.written += await saveHalladas(db, turnos, lote, halladas, desde);
        const deCuenta = halladas.filter((una): una is H & Negada => isNegada(una) && una.cuenta);
        negadas = deCuenta.length > 0 && deCuenta.length === halladas.length ? negadas + 1 : 0;
        const [primera] = deCuenta;
        if (negadas === NEGADAS && primera) {
          await putOffAll(db, fuente.market, turnos, primera.negada);
          break;
        }
      } catch (error) {
        if (!(error instanceof Unavailable) || endsRun(error)) throw error;
        // A listing that is never answered holds back none of those behind it.
        await putOff(db, tabla, lote, error.message, { niega: false, espera: sql`interval '1 hour'` });
        if (++silencios === SILENCIOS) throw error;
        for (const { clave } of lote) run.fail(`Publicación ${clave}`, error.message);
      }
      await run.progress();
    }
    await run.end();
    return run.counts.written;
  } catch (error) {
    await run.end(error);
    if (error instanceof Unavailable) return run.counts.written;
    throw error;
  }
}

/** Tells whether an answer that did not come is about more than the listings that were asked for: the account, or the pace. */
const endsRun = ({ details: { account, ownPace, status } }: Unavailable) =>
  account === true || ownPace === true || status === 429;

/** Keeps answers that were asked for after `desde`, and returns how many told something. A refusal is kept with its reason. */
async function saveHalladas<H extends { clave: string }>(
  db: Db,
  { tabla, save }: Pick<Turnos<H>, 'tabla' | 'save'>,
  lote: readonly Pendiente[],
  halladas: readonly (H | Negada)[],
  desde: Date,
): Promise<number> {
  const ids = new Map(lote.map(({ clave, id }) => [clave, id]));
  return await db.transaction().execute(async (trx) => {
    let leidas = 0;
    for (const una of halladas) {
      const id = ids.get(una.clave);
      if (id === undefined) continue;
      if (isNegada(una)) {
        await putOff(trx, tabla, [{ id }], una.negada, {
          niega: true,
          espera: sql`least(2 ^ negada, ${MAX_DIAS}) * interval '1 day'`,
        });
        continue;
      }
      await save(trx, id, una, desde);
      leidas += 1;
    }
    return leidas;
  });
}

/** Reads one listing now and keeps the answer. Throws NotAllowed with the reason when its marketplace refuses or does not answer. */
export async function readOneNow<H extends { clave: string }>(
  db: Db,
  turnos: Pick<Turnos<H>, 'tabla' | 'save' | 'lectura'>,
  publicacion: Pendiente,
): Promise<void> {
  const desde = await ahora(db);
  try {
    const halladas = await turnos.lectura.leer([publicacion.clave]);
    await saveHalladas(db, turnos, [publicacion], halladas, desde);
    const [una] = halladas;
    if (!una || isNegada(una)) throw new NotAllowed(TITULO, una?.negada ?? 'No contestó nada de esta publicación.');
  } catch (error) {
    if (error instanceof Unavailable || error instanceof Refused || error instanceof UnexpectedShape)
      throw new NotAllowed(TITULO, error.message);
    throw error;
  }
}

/** Writes down why listings were not read, and when they are asked for again; `niega` counts it as a refusal. What was read before stays. */
async function putOff(
  db: Db | Trx,
  tabla: Turnos<Pendiente>['tabla'],
  cuales: readonly Pick<Pendiente, 'id'>[],
  error: string,
  { niega, espera }: { niega: boolean; espera: RawBuilder<unknown> },
): Promise<void> {
  const ids = cuales.map(({ id }) => id);
  await sql`
    insert into ${sql.table(tabla)} (publicacion_id, error, error_en) select una, ${error}, now() from unnest(${ids}::uuid[]) as una
    on conflict (publicacion_id) do nothing`.execute(db);
  await sql`
    update ${sql.table(tabla)} set error = ${error}, error_en = now(), negada = least(negada + ${niega ? 1 : 0}, 100), pedir_en = now() + ${espera}
    where publicacion_id = any(${ids}::uuid[])`.execute(db);
}

/** Writes down at every listing of a marketplace that its account may not ask, and leaves them all until tomorrow. */
async function putOffAll(
  db: Db,
  market: Market,
  { tabla, cuales }: Pick<Turnos<never>, 'tabla' | 'cuales'>,
  error: string,
): Promise<void> {
  await sql`
    insert into ${sql.table(tabla)} as t (publicacion_id, error, error_en, pedir_en)
    select id, ${error}, now(), now() + interval '1 day' from publicacion where market = ${market} and ${cuales}
    on conflict (publicacion_id) do update set error = excluded.error, error_en = now(), pedir_en = greatest(t.pedir_en, excluded.pedir_en)`.execute(
    db,
  );
}

/** The one clock that all processes share. */
async function ahora(db: Db): Promise<Date> {
  const { rows } = await sql<{ en: Date }>`select clock_timestamp() as en`.execute(db);
  return rows[0]!.en;
}
