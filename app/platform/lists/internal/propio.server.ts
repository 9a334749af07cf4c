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
 * Reads what a person has of a list: the views they see, its columns, and their exports. Every page of a list asks for all three, and one statement
 * costs two thirds of three.
 */
export async function readPropio(
  db: Db | Trx,
  lista: string,
  quien: { id: string; rol?: Rol },
  cols: string | null,
): Promise<Propio> {
  const { rows } = await sql<Propio>`
    select ${asList(vistasQuery(db, lista, quien))} as vistas,
      (${columnasQuery(db, { usuarioId: quien.id, lista })}) as columnas,
      ${asList(exportsQuery(db, quien.id, lista))} as exportaciones`.execute(db);
  const { columnas, ...propio } = rows[0]!;
  return { ...propio, columnas: columnasOf(cols) ?? columnas };
}

/** SQL: the rows of a query as one JSON array, in their order and with the names that the query gives. */
const asList = <TB extends keyof DB, Row>(query: SelectQueryBuilder<DB, TB, Row>) =>
  sql`(select coalesce(jsonb_agg(found), '[]') from (${query}) found)`;
