import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Trx } from '~db/client.server';
import type { ExportView } from '~/core/list';
import { readArchivo, type Archivo } from '~/platform/files/archivos.server';
import { enqueue } from '~db/queue/catalog.server';
import { lockName } from '~db/locks.server';

/** SQL: the moment from which exports are still offered beside their list. */
const OFFERED = sql`now() - interval '24 hours'`;

/** A list as filtered, and of it only the chosen rows (`ids`), or only the rows that it held when it was opened (`corte`). */
type Asked = { lista: string; search: string; usuarioId: string; ids?: readonly string[]; corte?: string };

/** Asks the worker for the Excel of a list, and returns the id of the run. While the same is on its way, a second ask gets the first run. */
export async function requestExport(trx: Trx, { lista, search, usuarioId, ids, corte }: Asked): Promise<string> {
  const filter = JSON.stringify({ search, ids, corte });
  // Two clicks of one person come one after the other.
  await lockName(trx, 'export', usuarioId, lista);
  const living = await trx
    .selectFrom('exportRun')
    .select('id')
    .where('usuarioId', '=', usuarioId)
    .where('list', '=', lista)
    .where('state', 'in', ['queued', 'running'])
    .where(sql<boolean>`filter = ${filter}::jsonb`)
    .executeTakeFirst();
  if (living) return living.id;
  const { id } = await trx
    .insertInto('exportRun')
    .values({ list: lista, filter, usuarioId })
    .returning('id')
    .executeTakeFirstOrThrow();
  await enqueue(trx, 'export.run', { exportId: id });
  return id;
}

/** Returns the query for the exports that a person sees: those of one list, or all of theirs. */
export function exportsQuery(db: Db | Trx, usuarioId: string, lista?: string) {
  return db
    .selectFrom('exportRun')
    .leftJoin('archivo', 'archivo.id', 'exportRun.archivoId')
    .where('usuarioId', '=', usuarioId)
    .where('createdAt', '>', sql<Date>`${OFFERED}`)
    .where('dismissedAt', 'is', null)
    .$if(lista !== undefined, (qb) => qb.where('list', '=', lista!))
    .orderBy('exportRun.id', 'desc')
    .limit(5)
    .select([
      'exportRun.id',
      'list as lista',
      sql<string>`coalesce(archivo.nombre, 'Excel')`.as('titulo'),
      'state as estado',
      'written as escritos',
      'exportRun.total',
    ]);
}

/** Lists the exports that a person sees. */
export const exportsOf = (db: Db, usuarioId: string, lista?: string): Promise<ExportView[]> =>
  exportsQuery(db, usuarioId, lista).execute();

/** Takes a run off the pages of its person. */
export async function dismissExport(db: Db, { id, usuarioId }: { id: string; usuarioId: string }): Promise<void> {
  await db
    .updateTable('exportRun')
    .set({ dismissedAt: new Date() })
    .where('id', '=', id)
    .where('usuarioId', '=', usuarioId)
    .execute();
}

/** Reads the file of a finished run of this person; of anybody when no person is named. Undefined when there is none. */
export async function findExportFile(db: Db, id: string, usuarioId: string | undefined): Promise<Archivo | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined;
  const run = await db
    .selectFrom('exportRun')
    .where('id', '=', id)
    .$if(usuarioId !== undefined, (qb) => qb.where('usuarioId', '=', usuarioId!))
    .select('archivoId')
    .executeTakeFirst();
  return run?.archivoId ? readArchivo(db, run.archivoId) : undefined;
}
