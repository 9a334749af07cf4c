import { sql } from 'kysely';
import type { Db } from '~db/client.server';

/** Days that rows without further use are kept. */
const KEEP = { rateLimit: 2, inbox: 30, exports: 7, syncRuns: 60, drafts: 30, enlaces: 90 } as const;

const before = (days: number) => sql<Date>`now() - make_interval(days => ${days})`;

export type Cleaned = Record<
  | 'sesiones'
  | 'limites'
  | 'estadosOauth'
  | 'avisos'
  | 'exportaciones'
  | 'archivos'
  | 'sincronizaciones'
  | 'borradores'
  | 'borradoresNota'
  | 'enlaces',
  number
>;

/** Removes what has expired. What tells of money, documents or effects is never touched: bitacora and attempts only grow. */
export async function cleanExpired(db: Db): Promise<Cleaned> {
  const sesiones = await db
    .deleteFrom('sesion')
    .where('venceEn', '<', sql<Date>`now()`)
    .executeTakeFirst();
  const limites = await db.deleteFrom('rateLimit').where('windowStart', '<', before(KEEP.rateLimit)).executeTakeFirst();
  const estadosOauth = await db
    .deleteFrom('oauthState')
    .where('expiresAt', '<', sql<Date>`now()`)
    .executeTakeFirst();
  const avisos = await db
    .deleteFrom('inbox')
    .where('state', 'in', ['done', 'ignored'])
    .where('receivedAt', '<', before(KEEP.inbox))
    .executeTakeFirst();
  const { exportaciones, archivos } = await cleanExports(db);
  // The last run of each source says how fresh it is, however old.
  const sincronizaciones = await db
    .deleteFrom('syncRun as old')
    .where('old.startedAt', '<', before(KEEP.syncRuns))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('syncRun as newer')
          .select('newer.id')
          .whereRef('newer.source', '=', 'old.source')
          .whereRef('newer.kind', '=', 'old.kind')
          .whereRef('newer.startedAt', '>', 'old.startedAt'),
      ),
    )
    .executeTakeFirst();
  const borradores = await db
    .deleteFrom('facturaDraft')
    .where('effectId', 'is', null)
    .where('actualizadoEn', '<', before(KEEP.drafts))
    .executeTakeFirst();
  const borradoresNota = await db
    .deleteFrom('notaDraft')
    .where('actualizadoEn', '<', before(KEEP.drafts))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notaSencilla').select('notaSencilla.id').whereRef('notaSencilla.draftId', '=', 'notaDraft.id'),
        ),
      ),
    )
    .executeTakeFirst();
  // Long ended, and nothing hangs from them: a factura remembers the draft it was made in, and that draft its link.
  const enlaces = await db
    .deleteFrom('enlace')
    .where('venceEn', '<', before(KEEP.enlaces))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('facturaDraft').select('facturaDraft.id').whereRef('facturaDraft.enlaceId', '=', 'enlace.id'),
        ),
      ),
    )
    .executeTakeFirst();
  const counted = { sesiones, limites, estadosOauth, avisos, sincronizaciones, borradores, borradoresNota, enlaces };
  const numbers = Object.fromEntries(
    Object.entries(counted).map(([name, { numDeletedRows }]) => [name, Number(numDeletedRows)]),
  );
  return { ...(numbers as Omit<Cleaned, 'exportaciones' | 'archivos'>), exportaciones, archivos };
}

/** An export goes with its file. */
async function cleanExports(db: Db) {
  return db.transaction().execute(async (trx) => {
    const old = await trx
      .deleteFrom('exportRun')
      .where('state', 'in', ['done', 'failed'])
      .where('createdAt', '<', before(KEEP.exports))
      .returning('archivoId')
      .execute();
    const files = old.flatMap(({ archivoId }) => (archivoId ? [archivoId] : []));
    if (files.length > 0) await trx.deleteFrom('archivo').where('id', 'in', files).execute();
    return { exportaciones: old.length, archivos: files.length };
  });
}
