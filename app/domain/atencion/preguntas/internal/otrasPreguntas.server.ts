import { sql } from 'kysely';
import type { Market } from '~/core/market';
import type { Db } from '~db/client.server';

/** Most other questions that stand beside those of a panel, of each buyer and of the listing. */
const MOST = 3;
/** Most questions and purchases of one buyer that are counted. */
const CONTADAS = 10;

/** A question that stands beside the one that is answered. */
export type OtraPregunta = {
  id: string;
  texto: string;
  titulo: string | null;
  respuesta: string | null;
  fecha: Date;
};
/** What is known here of a buyer: the last other questions, and how many questions and purchases there are. Neither is counted past ten. */
export type Comprador = { otras: OtraPregunta[]; preguntas: number; compras: number };

/**
 * Returns what is known of each buyer who stands behind the questions of a panel, those questions left out. A buyer of whom nothing else is known has no
 * entry.
 */
export async function compradoresOf(
  db: Db,
  market: Market,
  vistas: readonly { id: string; compradorId: string | null }[],
): Promise<ReadonlyMap<string, Comprador>> {
  const quienes = [...new Set(vistas.flatMap(({ compradorId }) => compradorId ?? []))];
  if (quienes.length === 0) return new Map();
  const { rows } = await sql<
    { compradorId: string; compras: number; preguntas: number | null } & Nullable<OtraPregunta>
  >`
    select b as comprador_id, c.compras, q.*
    from unnest(${quienes}::text[]) b
    cross join lateral (
      select count(*)::int as compras from (
        select from orden where market = ${market} and comprador_id = b limit ${CONTADAS}) suyas) c
    left join lateral (
      select id, texto, titulo, respuesta, fecha, (count(*) over ())::int as preguntas from (
        select id, texto, titulo, respuesta, fecha from pregunta
        where market = ${market} and comprador_id = b and id <> all(${vistas.map(({ id }) => id)}::uuid[])
        order by fecha desc limit ${CONTADAS}) suyas
      order by fecha desc limit ${MOST}) q on true
    where q.id is not null or c.compras > 0
    order by q.fecha desc`.execute(db);
  const map = new Map<string, Comprador>();
  for (const { compradorId, compras, preguntas, id, texto, titulo, respuesta, fecha } of rows) {
    const suyo = map.get(compradorId) ?? { otras: [], preguntas: preguntas ?? 0, compras };
    map.set(compradorId, suyo);
    if (id !== null && texto !== null && fecha !== null) suyo.otras.push({ id, texto, titulo, respuesta, fecha });
  }
  return map;
}

type Nullable<T> = { [K in keyof T]: T[K] | null };

/** Returns the last answered questions of a listing, those of the panel left out. */
export async function respondidasDe(
  db: Db,
  market: Market,
  publicacionId: string,
  vistas: readonly { id: string }[],
): Promise<OtraPregunta[]> {
  return db
    .selectFrom('pregunta')
    .select(['id', 'texto', 'titulo', 'respuesta', 'fecha'])
    .where('market', '=', market)
    .where('publicacionId', '=', publicacionId)
    .where('estatus', '=', 'respondida')
    .where(
      'id',
      'not in',
      vistas.map(({ id }) => id),
    )
    .orderBy('respondidaEn', (o) => o.desc())
    .limit(MOST)
    .execute();
}
