import { sql } from 'kysely';
import { type AjustesDeBucket, bucketOf, env } from '~/core/env.server';
import { log } from '~/core/log.server';
import type { Traslado } from '~db/columns';
import type { Db } from '~db/client.server';
import { type Guardado, openBucket } from './internal/respaldo/bucket.server';
import { findBase, listPendientes, moveBase, moveWal } from './internal/respaldo/mover.server';
import { bringRespaldo, listGuardados } from './internal/respaldo/traer.server';

/** Lists the whole backups of a bucket, the oldest first. */
export const listEnBucket = (ajustes: AjustesDeBucket): Promise<Guardado[]> => listGuardados(openBucket(ajustes));

/** Brings a backup of a bucket, the newest without a name, and the WAL since then into a folder (`bringRespaldo`). */
export const bringFromBucket = (ajustes: AjustesDeBucket, what: { nombre?: string; into: string }) =>
  bringRespaldo(openBucket(ajustes), what);

/** Copies to a bucket what a folder of backups has and the bucket has not, and returns what was copied. */
export async function copyToBucket(
  ajustes: AjustesDeBucket,
  { folder, keep }: { folder: string; keep: number },
): Promise<{ base: string | undefined; wal: number }> {
  const destino = { bucket: openBucket(ajustes), folder };
  const wal = await listPendientes(destino);
  await moveWal(destino, wal);
  const base = await findBase(destino);
  if (base) await moveBase(destino, base, keep);
  return { base, wal: wal.length };
}

/**
 * Copies to the bucket what the folder has and the bucket has not, and writes down how far it came, also where it
 * failed: the next minute looks again. Without `RESPALDOS_S3` it does nothing.
 */
export async function trasladar(db: Db, que: Traslado, signal?: AbortSignal): Promise<void> {
  const ajustes = bucketOf(process.env);
  if (!ajustes) return;
  const destino = { bucket: openBucket(ajustes), folder: env().RESPALDOS };
  let pendientes: number | null = null;
  try {
    if (que === 'wal') {
      const names = await listPendientes(destino);
      pendientes = names.length;
      await note(db, que, { pendientes });
      await moveWal(destino, names, signal);
    } else {
      const nombre = await findBase(destino);
      pendientes = nombre ? 1 : 0;
      await note(db, que, { pendientes });
      if (nombre) await moveBase(destino, nombre, env().RESPALDOS_GUARDAR, signal);
    }
    await note(db, que, { pendientes: 0, falla: null });
  } catch (error) {
    if (signal?.aborted) return;
    const falla = error instanceof Error ? error.message : String(error);
    log.warn('respaldo sin copiar al bucket', { que, error: falla });
    await note(db, que, { pendientes, falla });
  }
}

/**
 * Writes down how far a look at the folder came. What waits, or is not known, waits since the first look that said so,
 * and its last failure stays until all is there.
 */
async function note(
  db: Db,
  que: Traslado,
  { pendientes, falla }: { pendientes: number | null; falla?: string | null },
) {
  const done = pendientes === 0 && falla === null;
  await sql`insert into respaldo_traslado as t (que, mirado_en, al_dia_en, pendiente_desde, pendientes, falla)
    values (${que}, now(), ${done ? sql`now()` : null}, ${done ? null : sql`now()`}, ${pendientes}, ${falla ?? null})
    on conflict (que) do update set mirado_en = now(), pendientes = excluded.pendientes,
      falla = case when ${done} then null else coalesce(excluded.falla, t.falla) end,
      al_dia_en = coalesce(excluded.al_dia_en, t.al_dia_en),
      pendiente_desde = case when ${done} then null else coalesce(t.pendiente_desde, now()) end`.execute(db);
}
