import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { surviveLostConnections } from '~db/client.server';
import { pendingIn } from '~db/reviewMigrations';
import type { Negocio } from './negocio';

const ANSWER_MS = 3_000;

/** How a business stands, in words of its line. What did not answer is said, and never told as well. */
export type Estado = { nombre: string; url: string; puerto: string; base: string; procesos: string; respaldo: string };

/** Reads how each business stands: its tables, its processes and its last backup. */
export const readEstados = (negocios: readonly Negocio[], backups: string | undefined): Promise<Estado[]> =>
  Promise.all(
    negocios.map(async (negocio) => {
      const [base, procesos] = await Promise.all([baseOf(negocio), procesosOf(negocio)]);
      const { nombre, ajustes } = negocio;
      const respaldo = backups ? (lastBackupOf(backups, nombre) ?? 'ninguno') : 'sin RESPALDOS';
      return { nombre, url: ajustes.APP_URL ?? '', puerto: ajustes.PORT ?? '', base, procesos, respaldo };
    }),
  );

/** True where nothing of a business asks for anybody. */
export const isWell = ({ base, procesos }: Estado): boolean =>
  base.startsWith('al día') && procesos === 'web y worker en marcha';

async function baseOf({ duena }: Negocio): Promise<string> {
  const pool = new pg.Pool({
    connectionString: duena,
    max: 1,
    application_name: 'trastienda-negocios',
    connectionTimeoutMillis: ANSWER_MS,
  });
  surviveLostConnections(pool);
  try {
    const pendientes = await pendingIn(pool);
    const { rows } = await pool.query<{ mb: number; conexiones: number }>(
      `select round(pg_database_size(current_database()) / 1048576.0)::int as mb,
              (select count(*)::int - 1 from pg_stat_activity where datname = current_database()) as conexiones`,
    );
    const { mb, conexiones } = rows[0]!;
    const tables = pendientes.length === 0 ? 'al día' : `faltan ${pendientes.length} migraciones`;
    return `${tables}, ${mb} MB, ${conexiones} conexiones`;
  } catch (error) {
    return `no responde (${error instanceof Error ? error.message : String(error)})`;
  } finally {
    await pool.end();
  }
}

const Salud = z.object({
  worker: z.enum(['ok', 'sin latido', 'desconocido']),
  detalles: z.object({ avisos: z.array(z.object({ clave: z.string() })) }).optional(),
});

async function procesosOf({ ajustes }: Negocio): Promise<string> {
  try {
    const answer = await fetch(`http://127.0.0.1:${ajustes.PORT}/healthcheck`, {
      headers: { Authorization: `Bearer ${ajustes.SALUD_TOKEN}` },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const { worker, detalles } = Salud.parse(await answer.json());
    if (worker !== 'ok') return `web en marcha, worker ${worker}`;
    const avisos = detalles?.avisos.map(({ clave }) => clave) ?? [];
    return avisos.length === 0 ? 'web y worker en marcha' : `en marcha, con avisos: ${avisos.join(', ')}`;
  } catch {
    return 'la web no responde';
  }
}

/** Folders of backups are named after their instant, so the last by name is the newest. */
const lastBackupOf = (folder: string, nombre: string) =>
  existsSync(join(folder, nombre))
    ? readdirSync(join(folder, nombre))
        .filter((name) => !name.startsWith('.'))
        .sort()
        .at(-1)
    : undefined;
