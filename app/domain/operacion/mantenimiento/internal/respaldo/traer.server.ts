import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from '~db/respaldo';
import { makeFolder } from '~/core/carpetas.server';
import { type BucketDeRespaldos, type Guardado, listNombres, NOMBRE, partOf, readGuardado } from './bucket.server';
import { unpack } from './tar.server';

/** Lists the whole backups of the bucket, the oldest first. */
export async function listGuardados(bucket: BucketDeRespaldos): Promise<Guardado[]> {
  const found: Guardado[] = [];
  for (const nombre of await listNombres(bucket)) found.push(await readGuardado(bucket, nombre));
  return found;
}

/**
 * Brings a backup and the WAL since then from the bucket into a folder, and returns where they lie, as a restore wants
 * them. Without a name it brings the newest. Throws when the bucket has no such backup, or when any part of it is not
 * what was sealed.
 */
export async function bringRespaldo(
  bucket: BucketDeRespaldos,
  { nombre: wanted, into }: { nombre?: string; into: string },
): Promise<{ guardado: Guardado; base: string; wal: string }> {
  const names = await listNombres(bucket);
  const nombre = wanted ?? names.at(-1);
  if (!nombre) throw new Error('en el bucket no hay ningún respaldo entero');
  if (!NOMBRE.test(nombre) || !names.includes(nombre))
    throw new Error(`en el bucket no hay un respaldo ${nombre}: están ${names.join(', ') || 'ninguno'}`);
  const guardado = await readGuardado(bucket, nombre);
  const [base, wal] = [join(into, 'base', nombre), join(into, 'wal')];
  for (const folder of [base, wal]) makeFolder(folder, 0o700);
  await unpack(partsOf(bucket, guardado), base);
  const { hechoEn, servidor, desdeWal, bytes, llaves } = guardado;
  const manifest: Manifest = { hechoEn, servidor, desdeWal, bytes, llaves };
  writeFileSync(join(base, 'respaldo.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const { nombre: object } of await bucket.list('wal/')) {
    const file = object.slice('wal/'.length);
    if (!/^[0-9A-F]{8}[0-9A-F.a-z]*\.gz$/.test(file)) continue;
    if (!file.includes('.history') && file.slice(8, 24) < desdeWal.slice(8)) continue;
    await writeFile(join(wal, file), await bucket.get(object), { mode: 0o600 });
  }
  return { guardado, base, wal };
}

async function* partsOf(bucket: BucketDeRespaldos, guardado: Guardado): AsyncGenerator<Buffer> {
  for (let n = 1; n <= guardado.partes; n++) yield bucket.get(partOf(guardado, n));
}
