import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { enPesos } from '~/core/importe';
import type { Market } from '~/core/market';
import type { Money } from '~/core/money';
import { type Quedaria, readQuedarias } from '~/domain/compras/precios/precios.server';
import { MERCADOS, seCrea } from '~/domain/mercados/mercados';
import type { Escaparate } from '~/domain/mercados/publicacion';
import { fuenteOf } from '~/domain/mercados/registro.server';
import type { Db, Trx } from '~db/client.server';
import type { LugarDeCompetencia } from '~db/columns';
import { type Pendiente, readByTurns, readOneNow } from './internal/porTurnos.server';
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
/** A page does not stand longer for the marketplaces. */
const PACIENCIA_MS = 8_000;

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
  return await readByTurns(
    db,
    fuente,
    { ...TURNOS, kind: 'competencia', lectura, pendientes, cuales: DE_CATALOGO },
    signal,
  );
}

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
  const { market, estatus, deCatalogo } = publicacion;
  if (seCrea(market, estatus)) throw new NotAllowed(TITULO, seEstaCreando(market));
  if (deCatalogo === false) throw new NotAllowed(TITULO, SIN_CATALOGO);
  const fuente = await requireTienda(db, market);
  const lectura = fuente.publicaciones?.open(db, { timeoutMs: PACIENCIA_MS }).competencia;
  if (!lectura) throw new NotAllowed(TITULO, `${MERCADOS[market].label} no dice cómo queda frente a otros vendedores.`);
  await readOneNow(db, { ...TURNOS, lectura }, publicacion);
}

const SIN_CATALOGO = 'No es de catálogo: no comparte su página con otros vendedores.';

type Leida = Extract<Hallada, { competencia: unknown }>;

/** A price at which something would be left, and whose price it is. */
type AlPrecio = { precio: Money; de: 'paraGanar' | 'ganador' };

/** The standing of a listing as its panel shows it. `lugar` null: nobody knows it, and `porque` says why. */
type CompetenciaVista = Omit<Leida['competencia'], 'lugar'> & {
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
    quedaria: alPrecio && {
      ...alPrecio,
      ...(await readQuedarias(db, [{ productoId: fila.productoId, market, precio: alPrecio.precio }]))[0]!,
    },
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

/** The listings that share their page, may be asked for now and are due. */
async function listPendientes(db: Db, market: Market, most: number): Promise<Pendiente[]> {
  const { rows } = await sql<Pendiente>`
    select p.id, p.clave from publicacion p left join publicacion_competencia c on c.publicacion_id = p.id
    where p.market = ${market} and p.de_catalogo and p.ausente_desde is null
      and p.estatus is distinct from ${MERCADOS[market].publicaciones.creandose} and (c.pedir_en is null or c.pedir_en <= now())
    order by c.pedir_en nulls first, p.id limit ${most}`.execute(db);
  return rows;
}

/** Keeps a standing that was asked for at `desde`. A newer one stays. */
async function save(trx: Trx, id: string, { competencia }: Leida, desde: Date): Promise<void> {
  const { lugar, razones, nuestro, paraGanar, ganador, comparten } = competencia;
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
}

const TURNOS = { tabla: 'publicacion_competencia', save } as const;
/** SQL: the listings that share their page with other sellers. */
const DE_CATALOGO = sql`de_catalogo and ausente_desde is null`;
