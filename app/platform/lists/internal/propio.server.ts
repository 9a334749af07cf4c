import { sql, type SelectQueryBuilder } from 'kysely';
import type { ExportView } from '~/core/list';
import type { Vista } from '~/core/vistas';
import type { Db, Trx } from '~db/client.server';
import type { Rol } from '~db/columns';
import type { DB } from '~db/types';
import { columnasOf, columnasQuery } from '../columnas.server';
import { exportsQuery } from '../exportRuns.server';
import { vistasQuery } from '../vistas.server';

type Propio = { vistas: Vista[]; columnas: string | null; exportaciones: ExportView[] };

/**
 * What a person has of a list: the views they see, how its columns come, and what they exported. Every page of a list asks for it, and one question costs the
 * page two thirds of what three did.
 */
export async function readPropio(
  db: Db | Trx,
  lista: string,
  quien: { id: string; rol?: Rol },
  cols: string | null,
): Promise<Propio> {
  const { rows } = await sql<Propio>`select
    ${asList(vistasQuery(db, lista, quien))} as vistas,
    (${columnasQuery(db, { usuarioId: quien.id, lista })}) as columnas,
    ${asList(exportsQuery(db, quien.id, lista))} as exportaciones`.execute(db);
  const { columnas, ...propio } = rows[0]!;
  return { ...propio, columnas: columnasOf(cols) ?? columnas };
}

/** In the order of the query, and by the names it gives: what is inside of a document keeps them. */
const asList = <TB extends keyof DB, Row>(query: SelectQueryBuilder<DB, TB, Row>) =>
  sql`(select coalesce(jsonb_agg(found), '[]') from (${query}) found)`;
