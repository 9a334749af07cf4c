import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readManifest } from '~db/respaldo';
import {
  type BucketDeRespaldos,
  listNombres,
  manifestOf,
  NOMBRE,
  partOf,
  readGuardado,
  writeGuardado,
} from './bucket.server';
import { pack } from './tar.server';

/** A folder of backups (`base/`, `wal/`) and the bucket that gets a copy of it. */
export type Destino = {
  bucket: BucketDeRespaldos;
  folder: string;
  /** Bytes of a part, `PART_BYTES` by default. */
  partBytes?: number;
};

/** Bytes of a part: memory holds one of them, plain and sealed. */
const PART_BYTES = 8 * 1024 * 1024;
/** Age at which parts without a manifest are of no upload that still runs. */
const LEFT_BEHIND_MS = 24 * 3_600_000;

/** Finished files of the archive: segments, and the histories that lead from one timeline to the next. */
const ARCHIVED = /^[0-9A-F]{8}(?:\.history|[0-9A-F]{16}(?:\.[0-9A-F]{8}\.backup|\.partial)?)\.gz$/;
/** Place of a segment, whatever its timeline. */
const placeOf = (wal: string) => wal.slice(8, 24);
const isHistory = (wal: string) => wal.includes('.history');

/** Name of the newest whole backup of a folder. */
const newestIn = (folder: string) =>
  existsSync(join(folder, 'base'))
    ? readdirSync(join(folder, 'base'))
        .filter((name) => NOMBRE.test(name))
        .toSorted()
        .at(-1)
    : undefined;

/** Identifier of the cluster that a backup is of: the first eight bytes of its control file. */
const sistemaOf = (base: string) => readFileSync(join(base, 'datos/global/pg_control')).readBigUInt64LE().toString();

/**
 * Lists the archived files that the bucket has to get. The oldest segment there is where the bucket begins: what lies
 * before it is of no backup of the bucket. An empty bucket begins with the newest backup of the folder.
 */
export async function listPendientes({ bucket, folder }: Destino): Promise<string[]> {
  const newest = newestIn(folder);
  if (!newest || !existsSync(join(folder, 'wal'))) return [];
  const there = new Map((await bucket.list('wal/')).map(({ nombre, en }) => [nombre.slice('wal/'.length), en]));
  const begins = [...there.keys()].filter((name) => !isHistory(name)).map(placeOf);
  const first = begins.toSorted()[0] ?? placeOf(readManifest(join(folder, 'base', newest)).desdeWal);
  return readdirSync(join(folder, 'wal'))
    .filter((name) => ARCHIVED.test(name) && (isHistory(name) || placeOf(name) >= first))
    .filter((name) => {
      const kept = there.get(name);
      // A segment that was archived once more replaces the one before.
      return !kept || statSync(join(folder, 'wal', name)).mtime > kept;
    })
    .toSorted();
}

/** Copies these archived files to the bucket, the oldest first. */
export async function moveWal({ bucket, folder }: Destino, names: readonly string[], signal?: AbortSignal) {
  for (const name of names) {
    signal?.throwIfAborted();
    await bucket.put(`wal/${name}`, await readFile(join(folder, 'wal', name)));
  }
}

/** Returns the newest backup of the folder, where the bucket has none so new. */
export async function findBase({ bucket, folder }: Destino): Promise<string | undefined> {
  const newest = newestIn(folder);
  if (!newest) return undefined;
  const there = await listNombres(bucket);
  return (there.at(-1) ?? '') >= newest ? undefined : newest;
}

/**
 * Copies a backup to the bucket: its parts, a look at whether all of them are there in their size, then its manifest.
 * An upload that was cut leaves no backup, and is made again from the beginning. Afterwards only the newest `keep`
 * stay, with the WAL that these need.
 */
export async function moveBase(destino: Destino, nombre: string, keep: number, signal?: AbortSignal): Promise<void> {
  const { bucket, folder, partBytes = PART_BYTES } = destino;
  const base = join(folder, 'base', nombre);
  const sistema = sistemaOf(base);
  const before = (await listNombres(bucket)).at(-1);
  if (before && (await readGuardado(bucket, before)).sistema !== sistema)
    throw new Error(`en el bucket hay respaldos de otra base (${before}): da a esta otro prefijo en RESPALDOS_S3`);
  const subida = randomBytes(6).toString('hex');
  const sizes = new Map<string, number>();
  try {
    for await (const part of pack(base, ['datos', 'llaves'], partBytes)) {
      signal?.throwIfAborted();
      const name = partOf({ nombre, subida }, sizes.size + 1);
      sizes.set(name, await bucket.put(name, part));
    }
    const there = new Map((await bucket.list(`partes/${nombre}/${subida}/`)).map((one) => [one.nombre, one.bytes]));
    const wrong = [...sizes].filter(([name, bytes]) => there.get(name) !== bytes);
    if (wrong.length > 0) throw new Error(`el bucket no tiene entera la parte ${wrong[0]![0]}`);
    // Somebody else may have copied the same backup meanwhile; its parts are the ones of the manifest then.
    if ((await listNombres(bucket)).includes(nombre)) await removeAll(bucket, [...sizes.keys()]);
    else await writeGuardado(bucket, { ...readManifest(base), nombre, sistema, subida, partes: sizes.size });
  } catch (error) {
    await removeAll(bucket, [...sizes.keys()]).catch(() => {});
    throw error;
  }
  await prune(bucket, keep);
}

async function removeAll(bucket: BucketDeRespaldos, names: readonly string[]) {
  for (const name of names) await bucket.remove(name);
}

/** Removes what the newest `keep` backups do not need, the manifest of each first, and what cut uploads left behind. */
async function prune(bucket: BucketDeRespaldos, keep: number): Promise<void> {
  const names = await listNombres(bucket);
  const old = names.slice(0, Math.max(0, names.length - keep));
  await removeAll(bucket, old.map(manifestOf));
  const kept = await Promise.all(names.slice(old.length).map((name) => readGuardado(bucket, name)));
  if (kept.length === 0) return;
  const uploads = new Set(kept.map(({ nombre, subida }) => `partes/${nombre}/${subida}/`));
  for (const { nombre, en } of await bucket.list('partes/')) {
    const [, of] = nombre.split('/');
    const dead = old.includes(of!) || Date.now() - en.getTime() > LEFT_BEHIND_MS;
    if (dead && !uploads.has(nombre.slice(0, nombre.lastIndexOf('/') + 1))) await bucket.remove(nombre);
  }
  const first = placeOf(kept[0]!.desdeWal);
  for (const { nombre } of await bucket.list('wal/')) {
    const wal = nombre.slice('wal/'.length);
    if (ARCHIVED.test(wal) && !isHistory(wal) && placeOf(wal) < first) await bucket.remove(nombre);
  }
}
