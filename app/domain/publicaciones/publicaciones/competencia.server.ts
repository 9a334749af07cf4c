import { type RawBuilder, sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { enPesos } from '~/core/importe';
import type { Market } from '~/core/market';
import type { Money } from '~/core/money';
import { readQuedaria } from '~/domain/compras/precios/precios.server';
import { MERCADOS, seCrea } from '~/domain/mercados/mercados';
import type { Escaparate } from '~/domain/mercados/publicacion';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import { startRun } from '~/platform/syncRuns.server';
import type { Db, Trx } from '~db/client.server';
import type { LugarDeCompetencia } from '~db/columns';
import { requireTienda, TITULO } from './internal/tienda.server';
import { lugarOf } from './publicacion';
import { seEstaCreando } from './publicaciones.server';

/** Time for which a reading holds before the next one; a listing that may not win is asked for more rarely. */
const OTRA_VEZ: Readonly<Record<LugarDeCompetencia, string>> = {
  gana: '6 hours',
  comparte: '6 hours',
  pierde: '6 hours',
  noCompite: '1 day',
};
/** The most days that a refused reading waits. It waits one day after the first refusal, and twice as long after each further one. */
const MAX_DIAS = 32;
/** Questions in a row without an answer that end a run. */
const SILENCIOS = 3;
/** Refusals in a row that speak of the account: no listing of it is asked for before tomorrow. */
const NEGADAS = 3;
/** A page does not stand longer for the marketplaces. */
const PACIENCIA_MS = 8_000;

type Pendiente = { id: string; clave: string };
type Hallada = Awaited<ReturnType<NonNullable<Escaparate['competencia']>['leer']>>[number];

/**
 * Reads how the catalogue listings of a marketplace stand against other sellers, as many as one run may, those first that were never read and then the
 * oldest readings. Returns how many were read; null where nothing can be asked. Each answer is kept as it comes, so a run that was stopped goes on with
 * the rest. Where no answer comes, or the marketplace refuses, the reading of before stays with its age.
 */
export async function bringCompetencias(
  db: Db,
  market: Market,
  { signal }: { signal?: AbortSignal } = {},
): Promise<number | null> {
  const fuente = fuenteOf(market);
  if ((await fuente.link(db))?.status !== 'linked' || (await fuente.isPaused(db))) return null;
  const lectura = fuente.publicaciones?.open(db).competencia;
  if (!lectura) return null;
  const pendientes = await listPendientes(db, market, lectura.porVez);
  if (pendientes.length === 0) return 0;
  const run = await startRun(db, fuente.source, 'competencia');
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
        for (const una of halladas) if ('negada' in una) run.fail(`Publicación ${una.clave}`, una.negada);
        run.counts.written += await saveHalladas(db, lote, halladas, desde);
        const deCuenta = halladas.filter((una) => 'negada' in una && una.cuenta);
        negadas = deCuenta.length > 0 && deCuenta.length === halladas.length ? negadas + 1 : 0;
        const [primera] = deCuenta;
        if (negadas === NEGADAS && primera && 'negada' in primera) {
          await putOffAll(db, market, primera.negada);
          break;
        }
      } catch (error) {
        if (!(error instanceof Unavailable) || endsRun(error)) throw error;
        // A listing that is never answered holds back none of those behind it.
        await putOff(db, lote, error.message, { niega: false, espera: sql`interval '1 hour'` });
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

/**
 * 'Leer ahora': reads how one listing stands against other sellers, while a person waits. Throws NotAllowed with the reason when the listing is unknown,
 * is still made or stands on no catalogue page, and when its marketplace cannot be asked, refuses, or does not answer in time.
 */
export async function bringCompetencia(db: Db, id: string): Promise<void> {
  const publicacion = await db
    .selectFrom('publicacion')
    .select(['id', 'market', 'clave', 'estatus', 'deCatalogo'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!publicacion) throw new NotAllowed(TITULO, 'No se encontro la publicación');
  const { market, clave, estatus, deCatalogo } = publicacion;
  if (seCrea(market, estatus)) throw new NotAllowed(TITULO, seEstaCreando(market));
  if (deCatalogo === false) throw new NotAllowed(TITULO, SIN_CATALOGO);
  const fuente = await requireTienda(db, market);
  const lectura = fuente.publicaciones?.open(db, { timeoutMs: PACIENCIA_MS }).competencia;
  if (!lectura) throw new NotAllowed(TITULO, `${MERCADOS[market].label} no dice cómo queda frente a otros vendedores.`);
  const desde = await ahora(db);
  try {
    const halladas = await lectura.leer([clave]);
    await saveHalladas(db, [publicacion], halladas, desde);
    const [una] = halladas;
    if (!una || 'negada' in una) throw new NotAllowed(TITULO, una?.negada ?? 'No contestó nada de esta publicación.');
  } catch (error) {
    if (error instanceof Unavailable || error instanceof Refused || error instanceof UnexpectedShape)
      throw new NotAllowed(TITULO, error.message);
    throw error;
  }
}

const SIN_CATALOGO = 'No es de catálogo: no comparte su página con otros vendedores.';

type Quedaria = Awaited<ReturnType<typeof readQuedaria>>;
type Leida = Extract<Hallada, { competencia: unknown }>['competencia'];

/** A price at which something would be left, and whose price it is. */
type AlPrecio = { precio: Money; de: 'paraGanar' | 'ganador' };

/** The standing of a listing as its panel shows it. `lugar` null: nobody knows it, and `porque` says why. */
type CompetenciaVista = Omit<Leida, 'lugar'> & {
  lugar: LugarDeCompetencia | null;
  /** Name and tone of the place: as it is, or as it was where the last try came to nothing. */
  estado: ReturnType<typeof lugarOf> | null;
  porque: string | null;
  /** Instant of the reading; null where nothing was read. */
  leidaEn: Date | null;
  /** Why the last try came to nothing, after which the reading of before stands. */
  error: string | null;
  /** What would be left at the price to win, or at the winner's where there is none to win with. Null without either. */
  quedaria: (AlPrecio & Quedaria) | null;
  /** The marketplace can be asked for it. */
  sePregunta: boolean;
};

const NADA = { razones: [], nuestro: null, paraGanar: null, ganador: null, comparten: null };

/** Reads how a listing stands against other sellers; null where its marketplace never tells it. */
export async function readCompetencia(
  db: Db,
  { id, market }: { id: string; market: Market },
): Promise<CompetenciaVista | null> {
  if (!fuenteOf(market).publicaciones?.open(db).competencia) return null;
  const fila = await db
    .selectFrom('publicacion')
    .leftJoin('publicacionCompetencia', 'publicacionId', 'publicacion.id')
    .select(['deCatalogo', 'productoId', 'precio', 'ausenteDesde', 'estatus'])
    .select(['lugar', 'razones', 'nuestro', 'paraGanar', 'ganador', 'comparten'])
    .select(['publicacionCompetencia.leidaEn', 'error'])
    .where('publicacion.id', '=', id)
    .executeTakeFirst();
  if (!fila) return null;
  const sePregunta = fila.deCatalogo !== false && fila.ausenteDesde === null && !seCrea(market, fila.estatus);
  const sin = { ...NADA, leidaEn: null, error: null, quedaria: null, sePregunta };
  if (fila.deCatalogo === false)
    return { ...sin, ...conEstado('noCompite', null), porque: null, razones: [SIN_CATALOGO] };
  const { lugar, leidaEn, error, paraGanar, ganador, comparten } = fila;
  if (lugar === null) return { ...sin, lugar: null, estado: null, porque: error ?? 'Todavía no se lee.' };
  const alPrecio: AlPrecio | null = paraGanar
    ? { precio: paraGanar, de: 'paraGanar' }
    : ganador && { precio: ganador, de: 'ganador' };
  return {
    ...conEstado(lugar, error),
    razones: [...(fila.razones ?? []), ...movedSince(fila)],
    porque: null,
    nuestro: fila.nuestro,
    paraGanar,
    ganador,
    comparten,
    leidaEn,
    error,
    quedaria: alPrecio && { ...alPrecio, ...(await quedariaOf(db, fila.productoId, { market, ...alPrecio })) },
    sePregunta,
  };
}

const conEstado = (lugar: LugarDeCompetencia, error: string | null) => ({
  lugar,
  estado: lugarOf(lugar, error === null),
});

/** The answer is about the price of that instant: another one since then may stand elsewhere. */
const movedSince = ({ nuestro, precio }: { nuestro: Money | null; precio: Money | null }) =>
  nuestro && precio && !nuestro.equals(precio) ? [`Se comparó con ${enPesos(nuestro)}.`] : [];

const quedariaOf = (db: Db, productoId: string | null, venta: { market: Market; precio: Money }): Promise<Quedaria> =>
  productoId === null
    ? Promise.resolve({ porque: 'Su SKU no nombra un producto de los proveedores: no se sabe su costo.' })
    : readQuedaria(db, productoId, venta);

/** The listings that share their page, may be asked for now and are due. */
async function listPendientes(db: Db, market: Market, most: number): Promise<Pendiente[]> {
  const { rows } = await sql<Pendiente>`
    select p.id, p.clave from publicacion p left join publicacion_competencia c on c.publicacion_id = p.id
    where p.market = ${market} and p.de_catalogo and p.ausente_desde is null
      and p.estatus is distinct from ${MERCADOS[market].publicaciones.creandose} and (c.pedir_en is null or c.pedir_en <= now())
    order by c.pedir_en nulls first, p.id limit ${most}`.execute(db);
  return rows;
}

/** Keeps answers that were asked for after `desde`, and returns how many told something. A newer reading stays. */
async function saveHalladas(
  db: Db,
  lote: readonly Pendiente[],
  halladas: readonly Hallada[],
  desde: Date,
): Promise<number> {
  const ids = new Map(lote.map(({ clave, id }) => [clave, id]));
  return await db.transaction().execute(async (trx) => {
    let leidas = 0;
    for (const una of halladas) {
      const id = ids.get(una.clave);
      if (id === undefined) continue;
      if ('negada' in una) {
        await putOff(trx, [{ id }], una.negada, {
          niega: true,
          espera: sql`least(2 ^ publicacion_competencia.negada, ${MAX_DIAS}) * interval '1 day'`,
        });
        continue;
      }
      const { lugar, razones, nuestro, paraGanar, ganador, comparten } = una.competencia;
      await sql`
        insert into publicacion_competencia (publicacion_id, lugar, razones, nuestro, para_ganar, ganador, comparten, leida_en, pedir_en)
        values (${id}, ${lugar}, ${razones}::text[], ${nuestro?.toPostgres() ?? null}, ${paraGanar?.toPostgres() ?? null}, ${ganador?.toPostgres() ?? null},
          ${comparten}, ${desde}, now() + ${OTRA_VEZ[lugar]}::interval)
        on conflict (publicacion_id) do update set lugar = excluded.lugar, razones = excluded.razones, nuestro = excluded.nuestro, para_ganar = excluded.para_ganar,
          ganador = excluded.ganador, comparten = excluded.comparten, leida_en = excluded.leida_en, pedir_en = excluded.pedir_en,
          error = null, error_en = null, negada = 0
        where publicacion_competencia.leida_en is null or publicacion_competencia.leida_en <= excluded.leida_en`.execute(
        trx,
      );
      leidas += 1;
    }
    return leidas;
  });
}

/** Writes down why listings were not read, and when they are asked for again; `niega` counts it as a refusal. What was read before stays. */
async function putOff(
  db: Db | Trx,
  cuales: readonly Pick<Pendiente, 'id'>[],
  error: string,
  { niega, espera }: { niega: boolean; espera: RawBuilder<unknown> },
): Promise<void> {
  await sql`
    insert into publicacion_competencia (publicacion_id, error, error_en) select una, ${error}, now() from unnest(${cuales.map(({ id }) => id)}::uuid[]) as una
    on conflict (publicacion_id) do nothing`.execute(db);
  await sql`
    update publicacion_competencia set error = ${error}, error_en = now(), negada = least(negada + ${niega ? 1 : 0}, 100), pedir_en = now() + ${espera}
    where publicacion_id = any(${cuales.map(({ id }) => id)}::uuid[])`.execute(db);
}

/** Writes down at every catalogue listing of a marketplace that its account may not ask, and leaves them all until tomorrow. */
async function putOffAll(db: Db, market: Market, error: string): Promise<void> {
  await sql`
    insert into publicacion_competencia (publicacion_id, error, error_en, pedir_en)
    select id, ${error}, now(), now() + interval '1 day' from publicacion where market = ${market} and de_catalogo and ausente_desde is null
    on conflict (publicacion_id) do update set error = excluded.error, error_en = now(), pedir_en = greatest(publicacion_competencia.pedir_en, excluded.pedir_en)`.execute(
    db,
  );
}

/** The one clock that all processes share. */
async function ahora(db: Db): Promise<Date> {
  const { rows } = await sql<{ en: Date }>`select clock_timestamp() as en`.execute(db);
  return rows[0]!.en;
}
