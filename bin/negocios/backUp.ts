import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sealWith } from '~db/respaldo';
import { makeFolder } from '~/core/carpetas.server';
import type { Negocio } from './negocio';

/** Options of a backup of one business. */
type Options = {
  folder: string;
  /** Seals the keys that lie beside the dump; absent, whoever reads the backup opens what is sealed in it. */
  passphrase?: string;
  /** How many backups of this business stay. */
  keep: number;
};

/**
 * Dumps one business with PostgreSQL's `pg_dump`, beside the settings without which its sealed values stay shut, and
 * returns the folder and its bytes. The dump is of one instant, while everything runs. Throws with the words of
 * `pg_dump`; nothing half made stays.
 */
export async function backUpNegocio({ nombre, ajustes, duena }: Negocio, { folder, passphrase, keep }: Options) {
  const own = join(folder, nombre);
  const unfinished = join(own, `.${process.pid}`);
  rmSync(unfinished, { recursive: true, force: true });
  makeFolder(unfinished, 0o700);
  try {
    const dump = join(unfinished, 'base.dump');
    await runDump(duena, dump);
    const llaves = JSON.stringify({ ...ajustes, MIGRACION_URL: duena });
    writeFileSync(join(unfinished, 'llaves'), passphrase ? sealWith(passphrase, llaves) : llaves, { mode: 0o600 });
    const { size: bytes } = statSync(dump);
    const place = join(own, new Date().toISOString().replace(/[-:]|\.\d+/g, ''));
    renameSync(unfinished, place);
    for (const old of finished(own).slice(0, -keep)) rmSync(join(own, old), { recursive: true });
    return { place, bytes };
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

const finished = (own: string) =>
  readdirSync(own)
    .filter((name) => /^\d{8}T\d{6}Z$/.test(name))
    .sort();

/** The password goes by the environment: arguments of a process are read by everybody on the machine. */
async function runDump(duena: string, file: string) {
  const { hostname, port, username, password, pathname } = new URL(duena);
  const child = spawn('pg_dump', ['--format=custom', '--no-owner', '--no-privileges', `--file=${file}`], {
    env: {
      ...process.env,
      PGHOST: hostname,
      PGPORT: port || '5432',
      PGUSER: decodeURIComponent(username),
      PGPASSWORD: decodeURIComponent(password),
      PGDATABASE: pathname.slice(1),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = (await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error('falta pg_dump: viene con el cliente de PostgreSQL, de la versión del servidor', { cause: error });
  })) as [number];
  if (code !== 0) throw new Error(said.trim() || `pg_dump terminó con ${code}`);
}
