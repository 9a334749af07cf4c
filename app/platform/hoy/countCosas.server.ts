import { sql, type RawBuilder } from 'kysely';
import type { Db } from '~db/client.server';
import type { Cosa, Cuantas, Mirada } from './cola';
import { ATRASADA_MS } from './internal/primera';
import { isTarde, limiteOf, type Plazos } from './reloj';

/** Counts the things of a query (id, titulo, detalle, a, desde, vence), those that are late and late by weeks among them, and returns the first ones: one statement. */
export async function countInSql(
  db: Db,
  cosas: RawBuilder<unknown>,
  { mal }: Plazos,
  { ahora, limite, aparte, solo }: Mirada,
): Promise<Cuantas> {
  const fuera = sql<boolean>`(c.id = any(${[...aparte]}::text[]))`;
  const tope = sql`coalesce(c.vence, c.desde + ${mal} * interval '1 ms')`;
  const { rows } = await sql<
    Cosa & { aparte: boolean; total: number; tarde: number; atrasadas: number; fuera: number }
  >`
    select c.*, ${fuera} as aparte,
      count(*) filter (where not ${fuera}) over ()::int as total,
      count(*) filter (where not ${fuera} and ${tope} <= ${ahora}) over ()::int as tarde,
      count(*) filter (where not ${fuera} and ${tope} < ${new Date(ahora.getTime() - ATRASADA_MS)}) over ()::int as atrasadas,
      count(*) filter (where ${fuera}) over ()::int as fuera
    from (${cosas}) c
    ${solo === undefined ? sql`` : sql`where c.id = ${solo}`}
    order by ${fuera}, ${tope}, c.id
    limit ${limite}`.execute(db);
  const [first] = rows;
  return {
    total: first?.total ?? 0,
    tarde: first?.tarde ?? 0,
    atrasadas: first?.atrasadas ?? 0,
    aparte: first?.fuera ?? 0,
    cosas: rows.map(({ id, titulo, detalle, a, desde, vence, aqui, aparte }) => ({
      id,
      titulo,
      detalle,
      a,
      desde,
      vence,
      ...(aqui === false && { aqui }),
      aparte,
    })),
  };
}

/** Counts things that are few and already read, as `countInSql` does. */
export function countCosas(cosas: readonly Cosa[], plazos: Plazos, { ahora, limite, aparte, solo }: Mirada): Cuantas {
  const dichas = cosas
    .filter(({ id }) => solo === undefined || id === solo)
    .map((cosa) => ({ ...cosa, aparte: aparte.includes(cosa.id) }))
    .sort((a, b) => Number(a.aparte) - Number(b.aparte) || limiteOf(a, plazos) - limiteOf(b, plazos));
  const esperan = dichas.filter((cosa) => !cosa.aparte);
  return {
    total: esperan.length,
    tarde: esperan.filter((cosa) => isTarde(cosa, plazos, ahora)).length,
    atrasadas: esperan.filter((cosa) => limiteOf(cosa, plazos) < ahora.getTime() - ATRASADA_MS).length,
    aparte: dichas.length - esperan.length,
    cosas: dichas.slice(0, limite),
  };
}
