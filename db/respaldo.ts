/**
 * Base backups of the embedded server, by its low-level interface: pg_backup_start, a copy of the files,
 * pg_backup_stop. The package brings neither pg_dump nor pg_basebackup. Each backup is whole, with its WAL and keys.
 * Archived WAL brings a backup forward to any later moment.
 */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { makeFolder } from '~/core/carpetas.server';
import { clusterOf, startEmbedded, type Embedded } from './embedded';
import type { Account } from './internal/postgresBinaries';

/**
 * Keys of the sealed values in the database, and the password of the database. Without these secrets a backup is of no
 * use.
 */
export type Secrets = Record<string, string>;

/** Content of `respaldo.json` in the folder of a backup. */
export type Manifest = {
  hechoEn: string;
  servidor: number;
  /** Name of the first WAL file that the backup needs; older archived files are of no use any more. */
  desdeWal: string;
  bytes: number;
  llaves: 'selladas' | 'junto';
};

/** Options of a backup. */
export type BackUp = {
  /** Folder with `base/` and `wal/`. */
  target: string;
  dataDir: string;
  url: string;
  secrets: Secrets;
  /** Seals the keys. Absent: the keys lie beside the backup, readable by the owner of the files alone. */
  passphrase?: string;
  /** Number of backups to keep; 7 by default. */ keep?: number;
};

/** Files left out of a copy: a server makes these files anew, or the files name the running server. */
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|pg_wal\/.*|pg_replslot\/.*|pg_dynshmem\/.*|pg_notify\/.*|pg_serial\/.*|pg_snapshots\/.*|pg_stat_tmp\/.*|pg_subtrans\/.*|(.*\/)?pgsql_tmp.*|(.*\/)?pg_internal\.init.*)$/;

/**
 * Makes a base backup of the running server and returns its folder. Keeps the last `keep` backups and the WAL that
 * these need; older backups are deleted.
 */
export async function backUp({ target, dataDir, url, secrets, passphrase, keep = 7 }: BackUp): Promise<string> {
  const bases = join(resolve(target), 'base');
  makeFolder(resolve(target));
  makeFolder(bases, 0o700);
  const client = new pg.Client({ connectionString: url, application_name: 'trastienda-respaldo' });
  await client.connect();
  const unfinished = join(bases, `.${process.pid}`);
  rmSync(unfinished, { recursive: true, force: true });
  try {
    // The slot holds the WAL for the copy, and ends with this connection, however the connection ends.
    await client.query(`select pg_create_physical_replication_slot('trastienda_respaldo', true, true)`);
    const { rows: begun } = await client.query<{ wal: string; at: Date; server: number }>(
      `select pg_walfile_name(pg_backup_start('trastienda', true)) as wal, clock_timestamp() as at, current_setting('server_version_num')::int as server`,
    );
    const { wal, at, server } = begun[0]!;
    let bytes = copyTree(dataDir, join(unfinished, 'datos'));
    const { rows: ended } = await client.query<{ last: string; label: string; spaces: string }>(
      `select pg_walfile_name(lsn) as last, labelfile as label, spcmapfile as spaces from pg_backup_stop(false)`,
    );
    const { last, label, spaces } = ended[0]!;
    writeFileSync(join(unfinished, 'datos', 'backup_label'), label, { mode: 0o600 });
    if (spaces) throw new Error('la base usa tablespaces, que este respaldo no copia');
    for (const name of readdirSync(join(dataDir, 'pg_wal')).sort()) {
      if (!/^[0-9A-F]{24}$/.test(name) || name < wal || name > last) continue;
      copyFileSync(join(dataDir, 'pg_wal', name), join(unfinished, 'datos', 'pg_wal', name));
      bytes += 16_777_216;
    }
    const llaves = JSON.stringify(secrets);
    writeFileSync(join(unfinished, 'llaves'), passphrase ? sealWith(passphrase, llaves) : llaves, { mode: 0o600 });
    const manifest: Manifest = {
      hechoEn: at.toISOString(),
      servidor: server,
      desdeWal: wal,
      bytes,
      llaves: passphrase ? 'selladas' : 'junto',
    };
    writeFileSync(join(unfinished, 'respaldo.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    const name = join(bases, at.toISOString().replace(/[-:]|\.\d+/g, ''));
    renameSync(unfinished, name);
    prune(resolve(target), keep);
    return name;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
    await client.end();
  }
}

/**
 * Copies a tree and returns its bytes. A file may vanish or grow during the copy; recovery from WAL repairs the
 * difference.
 */
function copyTree(from: string, to: string, inside = ''): number {
  makeFolder(to, 0o700);
  let bytes = 0;
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const path = inside + entry.name;
    if (LEFT_OUT.test(path)) continue;
    if (entry.isDirectory()) bytes += copyTree(join(from, entry.name), join(to, entry.name), `${path}/`);
    else {
      try {
        copyFileSync(join(from, entry.name), join(to, entry.name));
        bytes += statSync(join(to, entry.name)).size;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }
  return bytes;
}

function prune(target: string, keep: number) {
  const bases = readdirSync(join(target, 'base'))
    .filter((name) => /^\d{8}T\d{6}Z$/.test(name))
    .sort();
  for (const old of bases.splice(0, Math.max(0, bases.length - keep)))
    rmSync(join(target, 'base', old), { recursive: true, force: true });
  const { desdeWal } = readManifest(join(target, 'base', bases[0]!));
  if (!existsSync(join(target, 'wal'))) return;
  for (const name of readdirSync(join(target, 'wal')))
    if (/^[0-9A-F]{24}\.gz$/.test(name) && name.slice(8, 24) < desdeWal.slice(8))
      rmSync(join(target, 'wal', name), { force: true });
}

/** Reads the manifest of a backup's folder. */
export const readManifest = (base: string) => JSON.parse(readFileSync(join(base, 'respaldo.json'), 'utf8')) as Manifest;

const MAGIC = 'trastienda-llaves-1\n';

/** Seals secrets with a passphrase, as `readSecrets` opens them. */
export function sealWith(passphrase: string, text: string): Buffer {
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase, salt), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.from(MAGIC), salt, iv, cipher.getAuthTag(), sealed]);
}

const keyOf = (passphrase: string, salt: Buffer) =>
  scryptSync(passphrase, salt, 32, { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 27 });

/** Reads the secrets of a backup. Throws when the secrets are sealed and the passphrase is missing or wrong. */
export function readSecrets(base: string, passphrase: string | undefined): Secrets {
  const kept = readFileSync(join(base, 'llaves'));
  if (!kept.subarray(0, MAGIC.length).equals(Buffer.from(MAGIC))) return JSON.parse(kept.toString('utf8')) as Secrets;
  if (!passphrase) throw new Error('las llaves del respaldo están selladas: indica RESPALDO_CLAVE');
  const body = kept.subarray(MAGIC.length);
  const decipher = createDecipheriv('aes-256-gcm', keyOf(passphrase, body.subarray(0, 16)), body.subarray(16, 28));
  decipher.setAuthTag(body.subarray(28, 44));
  try {
    return JSON.parse(decipher.update(body.subarray(44), undefined, 'utf8') + decipher.final('utf8')) as Secrets;
  } catch (cause) {
    throw new Error('RESPALDO_CLAVE no abre las llaves de este respaldo', { cause });
  }
}

/** Options of a restore. */
export type Restore = {
  /** A backup: a folder of `base/`. */
  base: string;
  /** Folder of archived WAL, if any. */
  wal?: string;
  /** A folder without a database. A restore never overwrites a database. */
  folder: string;
  /** Last moment to recover, in ISO; absent for all archived WAL. */
  until?: string;
  passphrase?: string;
  durable?: boolean;
};

/** The running server, its secrets, and the moment up to which the data are known. */
export type Restored = { server: Embedded; secrets: Secrets; knowsUntil: Date };

/**
 * Writes a moment as PostgreSQL reads it in its settings, before it knows any name of a zone: 'Z' is one. Throws for a
 * text that names no moment, and for one without its zone.
 */
function momentOf(text: string): string {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime()) || !/(?:Z|[+-]\d\d:\d\d)$/.test(text))
    throw new Error(`«${text}» no es un momento: escríbelo con su zona, como 2026-01-15T18:00:00Z`);
  return moment.toISOString().replace('T', ' ').replace('Z', '+00');
}

/**
 * Restores a backup and the WAL archived since into an empty folder, and returns the running server. Throws when the
 * folder already has a database.
 */
export async function restore({ base, wal, folder: wanted, until, passphrase, durable }: Restore): Promise<Restored> {
  const target = until && momentOf(until);
  const secrets = readSecrets(base, passphrase);
  const { hechoEn } = readManifest(base);
  const { folder, dataDir, account } = clusterOf(wanted);
  if (existsSync(join(dataDir, 'PG_VERSION')))
    throw new Error(`en ${folder} ya hay una base: restaura en otra carpeta (DATA_DIR) y nada se pierde`);
  copyTreeWhole(join(base, 'datos'), dataDir, account);
  const archived = join(folder, 'wal-archivado');
  if (wal && existsSync(wal)) copyTreeWhole(resolve(wal), archived, account);
  writeFileSync(join(dataDir, 'recovery.signal'), '', { mode: 0o600 });
  own(join(dataDir, 'recovery.signal'), account);
  writeFileSync(join(folder, 'postgres.clave'), secrets.POSTGRES_CLAVE!, { mode: 0o600 });
  const server = await startEmbedded({
    folder,
    durable,
    settings: {
      restore_command: `gzip -dc "${archived.replaceAll('%', '%%')}/%f.gz" > "%p"`,
      recovery_target_action: 'promote',
      ...(target && { recovery_target_time: target }),
    },
  });
  const client = new pg.Client({ connectionString: server.urlOf('postgres') });
  await client.connect();
  try {
    // The server answers reads during the replay, and is done once promoted. A long archive takes long.
    for (let replaying = true; replaying;) {
      const { rows: now } = await client.query<{ replaying: boolean }>('select pg_is_in_recovery() as replaying');
      replaying = now[0]!.replaying;
      if (replaying) await sleep(100);
    }
    const { rows } = await client.query<{ last: Date | null }>('select pg_last_xact_replay_timestamp() as last');
    rmSync(archived, { recursive: true, force: true });
    return { server, secrets, knowsUntil: rows[0]!.last ?? new Date(hechoEn) };
  } finally {
    await client.end();
  }
}

function copyTreeWhole(from: string, to: string, account: Account) {
  makeFolder(to, 0o700);
  chmodSync(to, 0o700);
  own(to, account);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const target = join(to, basename(entry.name));
    if (entry.isDirectory()) copyTreeWhole(join(from, entry.name), target, account);
    else {
      copyFileSync(join(from, entry.name), target);
      own(target, account);
    }
  }
}

function own(path: string, account: Account) {
  if (account) chownSync(path, account.uid, account.gid);
}
