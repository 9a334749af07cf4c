import { sql } from 'kysely';
import type { Asking, Fuente } from '~/domain/mercados/mercado';
import type { Escaparate, Hallada } from '~/domain/mercados/publicacion';
import { fuenteOf, listFuentes } from '~/domain/mercados/registro.server';
import { savePublicaciones, productoOfSku, markAusentes } from './internal/savePublicaciones.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import type { Market } from '~db/columns';
import { enqueue } from '~db/queue/catalog.server';
import { patiently } from '~/domain/mercados/paciencia.server';
import { moveCursor, readCursor, startRun, type SyncRun } from '~/platform/syncRuns.server';

const MINUTE = 60_000;
/** Time before the last look that is looked at again, for changes that came while it went on. */
const SOLAPE_MS = 5 * MINUTE;
/** A whole reading ends here between two stretches, and goes on in a job of its own. */
const SLICE_MS = 8 * MINUTE;

type Contexto = { db: Db; fuente: Fuente; escaparate: Escaparate; porLectura: number; run: SyncRun; asking: Asking };
type Opciones = { signal?: AbortSignal; sliceMs?: number };

/** Opens the listings of a marketplace; null when it has none, is not linked, or is paused. */
async function openBarrido(
  db: Db,
  market: Market,
): Promise<{ fuente: Fuente; escaparate: Escaparate; porLectura: number } | null> {
  const fuente = fuenteOf(market);
  const { publicaciones } = fuente;
  const link = publicaciones && (await fuente.link(db));
  if (!publicaciones || link?.status !== 'linked' || (await fuente.isPaused(db))) return null;
  return { fuente, escaparate: publicaciones.open(db), porLectura: publicaciones.limites.porLectura };
}

/** Asks for a run at every marketplace that is linked. */
export async function enqueuePublicaciones(
  db: Db,
  modo: 'todas' | 'movidas' | 'competencia' | 'promociones',
): Promise<void> {
  for (const fuente of listFuentes())
    if (fuente.publicaciones && (await fuente.link(db)))
      await enqueue(db, 'publicaciones.sync', { market: fuente.market, modo });
}

/**
 * Reads all that is on sale at a marketplace. Each stretch is written with the place where the next begins, so a run that was stopped goes on there; what was read since
 * it began is not read twice. Only a reading that came to its end says what is gone.
 */
export async function bringTodas(
  db: Db,
  market: Market,
  { signal, sliceMs = SLICE_MS }: Opciones = {},
): Promise<'fin' | 'sigue' | null> {
  const abierto = await openBarrido(db, market);
  if (!abierto) return null;
  // An account may change overnight how it counts its pieces, and people set rules of prices there.
  await abierto.fuente.publicaciones?.antesDeTodas?.(db).catch((error: unknown) => {
    if (!(error instanceof Unavailable || error instanceof Refused || error instanceof UnexpectedShape)) throw error;
  });
  const barrido = await takeBarrido(db, market);
  const run = await startRun(db, abierto.fuente.source, 'publicaciones');
  const contexto: Contexto = { ...abierto, db, run, asking: { signal, patiently: (ask) => patiently(ask, signal) } };
  const hasta = performance.now() + sliceMs;
  try {
    for await (const { claves, sigue, esperarMs } of abierto.escaparate.todas(barrido.sigue, contexto.asking)) {
      run.counts.seen += claves.length;
      const escritas = await fetch(contexto, await sinLeerDesde(db, market, claves, barrido.empezoEn));
      await db
        .updateTable('publicacionBarrido')
        .set((eb) => ({
          sigue,
          vistas: eb('vistas', '+', claves.length),
          escritas: eb('escritas', '+', escritas),
          error: null,
        }))
        .where('id', '=', barrido.id)
        .execute();
      await run.progress();
      if (esperarMs !== undefined || performance.now() > hasta) {
        await enqueue(db, 'publicaciones.sync', { market, modo: 'todas' }, { waitMs: esperarMs ?? 0 });
        await run.end();
        return 'sigue';
      }
    }
    await db.transaction().execute(async (trx) => {
      const ausentes = await markAusentes(trx, market, barrido.empezoEn);
      await trx
        .updateTable('publicacionBarrido')
        .set({ terminoEn: sql<Date>`now()`, completo: true, ausentes })
        .where('id', '=', barrido.id)
        .execute();
    });
    await linkPublicaciones(db);
    await run.end();
    return 'fin';
  } catch (error) {
    await run.end(error);
    await db
      .updateTable('publicacionBarrido')
      .set({ error: error instanceof Error ? error.message : String(error) })
      .where('id', '=', barrido.id)
      .execute();
    if (error instanceof Unavailable) return 'sigue';
    throw error;
  }
}

/** Links listings to products that came after them, and returns how many. */
export async function linkPublicaciones(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    with suyo as (select id, ${productoOfSku(sql`sku`)} as producto_id from publicacion where producto_id is null and sku like '%|%|%|%')
    update publicacion p set producto_id = s.producto_id from suyo s where s.id = p.id and s.producto_id is not null`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0n);
}

/** A week is longer than any reading: what is open since then is given up and begun anew. */
async function takeBarrido(db: Db, market: Market) {
  await db
    .updateTable('publicacionBarrido')
    .set({ terminoEn: sql<Date>`now()`, error: 'Se abandonó' })
    .where('market', '=', market)
    .where('terminoEn', 'is', null)
    .where('empezoEn', '<', sql<Date>`now() - interval '7 days'`)
    .execute();
  await db
    .insertInto('publicacionBarrido')
    .values({ market })
    .onConflict((on) => on.doNothing())
    .execute();
  return await db
    .selectFrom('publicacionBarrido')
    .select(['id', 'empezoEn', 'sigue'])
    .where('market', '=', market)
    .where('terminoEn', 'is', null)
    .executeTakeFirstOrThrow();
}

/** Of these, those that this reading has not met. */
async function sinLeerDesde(db: Db, market: Market, claves: readonly string[], desde: Date): Promise<string[]> {
  const leidas = await db
    .selectFrom('publicacion')
    .select('clave')
    .where('market', '=', market)
    .where('clave', 'in', claves.length > 0 ? [...claves] : [''])
    .where('vistoEn', '>=', desde)
    .execute();
  const ya = new Set(leidas.map(({ clave }) => clave));
  return claves.filter((clave) => !ya.has(clave));
}

/** Reads these and writes what came. One that cannot be understood is told, and takes no other with it. */
async function fetch(
  { db, fuente, escaparate, porLectura, run, asking }: Contexto,
  claves: readonly string[],
): Promise<number> {
  let escritas = 0;
  for (let at = 0; at < claves.length; at += porLectura) {
    asking.signal?.throwIfAborted();
    const lote = claves.slice(at, at + porLectura);
    const desde = await ahora(db);
    const halladas = await asking.patiently(() => escaparate.leer(lote));
    for (const one of halladas) if ('ilegible' in one) run.fail(`Publicación ${one.clave}`, one.ilegible);
    escritas += await saveFound(db, fuente.market, halladas, desde);
  }
  run.counts.written += escritas;
  return escritas;
}

/** The one clock that all processes share. */
async function ahora(db: Db): Promise<Date> {
  const { rows } = await sql<{ en: Date }>`select clock_timestamp() as en`.execute(db);
  return rows[0]!.en;
}

async function saveFound(db: Db, market: Market, halladas: readonly Hallada[], desde: Date): Promise<number> {
  const leidas = halladas.flatMap((one) => ('leida' in one ? [one.leida] : []));
  const faltan = halladas.flatMap((one) => ('falta' in one ? [one.clave] : []));
  return await db.transaction().execute(async (trx) => {
    // The marketplace says itself that there is no such thing: nobody waits for a second reading.
    if (faltan.length > 0)
      await sql`update publicacion set ausencias = greatest(ausencias, 2), ausente_desde = coalesce(ausente_desde, now())
        where market = ${market} and clave = any(${faltan})`.execute(trx);
    return await savePublicaciones(trx, market, leidas, desde);
  });
}

/** Listings that changed since the last look, as far as the marketplace lists them by that; the whole reading finds the rest. */
export async function bringMovidas(db: Db, market: Market, { signal }: Opciones = {}): Promise<number | null> {
  const abierto = await openBarrido(db, market);
  if (!abierto) return null;
  const cursor = `${abierto.fuente.source}:publicaciones`;
  const run = await startRun(db, abierto.fuente.source, 'publicacionesNuevas');
  const contexto: Contexto = { ...abierto, db, run, asking: { signal, patiently: (ask) => patiently(ask, signal) } };
  const empezo = await ahora(db);
  const antes = await readCursor(db, cursor);
  const desde = antes && new Date(Math.min(antes.getTime(), empezo.getTime()) - SOLAPE_MS);
  try {
    for await (const claves of abierto.escaparate.movidas(desde, contexto.asking)) {
      run.counts.seen += claves.length;
      const nuevas = await fetch(contexto, claves);
      await run.progress();
      // The newest first: a whole page that says nothing new has nothing newer behind it.
      if (nuevas === 0) break;
    }
    await moveCursor(db, cursor, empezo, empezo);
    await run.end();
    return run.counts.written;
  } catch (error) {
    await run.end(error);
    if (error instanceof Unavailable) return run.counts.written;
    throw error;
  }
}

/**
 * Reads these listings now and writes them. Returns the keys of those that the marketplace still has. Throws Refused for a listing that is not
 * understood; the others are written by then.
 */
export async function bringPublicaciones(
  db: Db,
  fuente: Fuente,
  claves: readonly string[],
  options?: { timeoutMs?: number; porLugar?: boolean },
): Promise<string[]> {
  const halladas = await readNow(db, fuente, claves, options);
  const ilegible = halladas.find((one) => 'ilegible' in one);
  if (ilegible && 'ilegible' in ilegible)
    throw new Refused(`No se entendió la publicación ${ilegible.clave}: ${ilegible.ilegible}`);
  return halladas.flatMap((one) => ('leida' in one ? [one.clave] : []));
}

/**
 * Reads the pieces of a marketplace's product by place and writes the listings that sell them. Returns whether a listing of ours does. Throws as
 * `bringPublicaciones`, and Unavailable while such reads are over their pace.
 */
export async function bringPiezas(db: Db, fuente: Fuente, productoAlla: string): Promise<boolean> {
  const suyas = await db
    .selectFrom('publicacion')
    .select('clave')
    .where('market', '=', fuente.market)
    .where('productoAlla', '=', productoAlla)
    .orderBy('clave')
    .execute();
  const claves = suyas.map(({ clave }) => clave);
  await bringPublicaciones(db, fuente, claves, { porLugar: true });
  return claves.length > 0;
}

/** Reads these listings now and writes them. Returns how each of them was found; a listing that is not understood is told and not thrown. */
export async function readNow(
  db: Db,
  fuente: Fuente,
  claves: readonly string[],
  { porLugar = false, ...options }: { timeoutMs?: number; porLugar?: boolean } = {},
): Promise<Hallada[]> {
  const { publicaciones } = fuente;
  if (!publicaciones || claves.length === 0) return [];
  const escaparate = publicaciones.open(db, options);
  const halladas: Hallada[] = [];
  for (let at = 0; at < claves.length; at += publicaciones.limites.porLectura) {
    const desde = await ahora(db);
    const lote = await escaparate.leer(claves.slice(at, at + publicaciones.limites.porLectura), {
      porLugar,
      deVenta: !porLugar,
    });
    await saveFound(db, fuente.market, lote, desde);
    halladas.push(...lote);
  }
  return halladas;
}
