import { z } from 'zod';
import { isMes } from '~/core/text';
import { EXPEDIENTE, packExpediente } from '../expediente.server';
import type { Db } from '~db/client.server';
import { storeArchivo } from '~/platform/files/archivos.server';
import { findList } from './lists.server';
import { createSheet, XLSX } from '~/platform/lists/xlsx.server';

const Filter = z.object({ search: z.string(), ids: z.array(z.string()).optional(), corte: z.string().optional() });
const PROGRESS_EVERY = 1_000;

/**
 * Writes the file of an export_run: the Excel of a list, or the expediente of a month. A run that was cut begins again from nothing; a run that ended is left alone. Rows, count and order are those of
 * one snapshot of the database.
 */
export async function runExport(
  db: Db,
  exportId: string,
  { lastAttempt, signal }: { lastAttempt: boolean; signal?: AbortSignal },
): Promise<void> {
  const run = await db
    .updateTable('exportRun')
    .set({ state: 'running', written: 0, total: null })
    .where('id', '=', exportId)
    .where('state', 'in', ['queued', 'running'])
    .returning(['list', 'filter', 'usuarioId'])
    .executeTakeFirst();
  if (!run) return;
  try {
    const writes = run.list === EXPEDIENTE ? writeMes : write;
    const { nombre, tipo, contenido, written } = await writes(db, exportId, run, signal);
    await db.transaction().execute(async (trx) => {
      const archivoId = await storeArchivo(trx, { nombre, tipo, contenido });
      await trx
        .updateTable('exportRun')
        .set({ state: 'done', written, archivoId, endedAt: new Date() })
        .where('id', '=', exportId)
        .execute();
    });
  } catch (error) {
    const failed = lastAttempt
      ? {
          state: 'failed' as const,
          error: `No se pudo generar el ${run.list === EXPEDIENTE ? 'expediente' : 'Excel'}.`,
          endedAt: new Date(),
        }
      : { state: 'queued' as const };
    await db.updateTable('exportRun').set(failed).where('id', '=', exportId).execute();
    throw error;
  }
}

type Run = { list: string; filter: unknown; usuarioId: string };

/** Writes the expediente of the month that a run names. */
async function writeMes(db: Db, exportId: string, { filter }: Run, signal: AbortSignal | undefined) {
  const { search: mes } = Filter.parse(filter);
  if (!isMes(mes)) throw new Error(`${mes} is no month`);
  const tell = async (written: number, total: number) => {
    signal?.throwIfAborted();
    // Progress is told on another connection, as that of a list.
    await db.updateTable('exportRun').set({ written, total }).where('id', '=', exportId).execute();
  };
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((trx) => packExpediente(trx, mes, tell));
}

async function write(db: Db, exportId: string, run: Run, signal: AbortSignal | undefined) {
  const list = findList(run.list);
  if (!list) throw new Error(`no list is called ${run.list}`);
  // The person's rights of now decide, which are not always those of the moment of asking.
  const quien = await db.selectFrom('usuario').select('rol').where('id', '=', run.usuarioId).executeTakeFirstOrThrow();
  const { search, ids, corte } = Filter.parse(run.filter);
  const filtro = list.parse(new URLSearchParams(search), quien);
  const sheet = await createSheet(list.excel);
  let written = 0;
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const total = ids ? ids.length : (await list.totals(trx, filtro, corte)).registros;
      // Progress is told on another connection: this one reads a snapshot that nobody sees yet.
      await db.updateTable('exportRun').set({ total }).where('id', '=', exportId).execute();
      for await (const row of list.stream(trx, filtro, { ids, corte })) {
        await sheet.write(row);
        written += 1;
        if (written % PROGRESS_EVERY !== 0) continue;
        signal?.throwIfAborted();
        await db.updateTable('exportRun').set({ written }).where('id', '=', exportId).execute();
      }
    });
  const nombre = ids
    ? `${list.titulo} (${written} de ${ids.length} elegidas)`
    : list.excel.nombre(filtro, await list.entero(db, filtro));
  return {
    nombre: `${nombre}.xlsx`,
    tipo: XLSX,
    contenido: await sheet.finish(),
    written,
  };
}
