import { z } from 'zod';
import type { AjustesDeBucket } from '~/core/env.server';
import { createBucket, type Objeto } from '~/integrations/s3/client.server';
import { openFrom, sealFor } from './sello.server';

/**
 * The bucket of the backups. Whatever leaves is sealed here, and opens only under the name that it was sealed for.
 * `base/NAME/respaldo.json` is the manifest of a backup and is written last: a backup without it is none.
 * `partes/NAME/UPLOAD/000001` and so on are its files, and `wal/SEGMENT.gz` is the archive.
 */
export type BucketDeRespaldos = {
  put(nombre: string, plain: Buffer): Promise<number>;
  /** Reads and opens an object. Throws when it is not there. */
  get(nombre: string): Promise<Buffer>;
  list(below: string): Promise<Objeto[]>;
  remove(nombre: string): Promise<void>;
};

/** Opens the bucket. `esperaMs` is the first wait before another try of a call. */
export function openBucket(
  { url, region, llave, secreto, clave }: AjustesDeBucket,
  esperaMs?: number,
): BucketDeRespaldos {
  const bucket = createBucket({ url, region, llave: { llave, secreto }, esperaMs });
  return {
    /** Returns the bytes that the bucket has to have. */
    async put(nombre, plain) {
      const sealed = await sealFor(clave, nombre, plain);
      await bucket.put(nombre, sealed);
      return sealed.length;
    },
    async get(nombre) {
      const sealed = await bucket.get(nombre);
      if (!sealed) throw new Error(`falta «${nombre}» en el bucket`);
      return openFrom(clave, nombre, sealed);
    },
    list: bucket.list,
    remove: bucket.remove,
  };
}

const Guardado = z.object({
  hechoEn: z.iso.datetime(),
  servidor: z.number().int(),
  desdeWal: z.string().regex(/^[0-9A-F]{24}$/),
  bytes: z.number().int(),
  llaves: z.enum(['selladas', 'junto']),
  /** Identifier of the database cluster: backups and WAL of another one do not mix. */
  sistema: z.string(),
  /** The upload whose parts these are, and how many. */
  subida: z.string().regex(/^[0-9a-f]{12}$/),
  partes: z.number().int().min(1),
});

/** A whole backup of the bucket, as its manifest tells it. */
export type Guardado = z.infer<typeof Guardado> & { nombre: string };

/** Name of a backup: the instant at which it began. */
export const NOMBRE = /^\d{8}T\d{6}Z$/;
export const manifestOf = (nombre: string) => `base/${nombre}/respaldo.json`;
export const partOf = ({ nombre, subida }: { nombre: string; subida: string }, n: number) =>
  `partes/${nombre}/${subida}/${String(n).padStart(6, '0')}`;

/** Lists the names of the whole backups in the bucket, the oldest first. */
export async function listNombres(bucket: BucketDeRespaldos): Promise<string[]> {
  return (await bucket.list('base/'))
    .flatMap(({ nombre }) => /^base\/(\d{8}T\d{6}Z)\/respaldo\.json$/.exec(nombre)?.[1] ?? [])
    .toSorted();
}

export async function readGuardado(bucket: BucketDeRespaldos, nombre: string): Promise<Guardado> {
  return { ...Guardado.parse(JSON.parse((await bucket.get(manifestOf(nombre))).toString('utf8'))), nombre };
}

/** Writes the manifest of a backup, which makes it one. */
export async function writeGuardado(bucket: BucketDeRespaldos, { nombre, ...guardado }: Guardado): Promise<void> {
  await bucket.put(manifestOf(nombre), Buffer.from(JSON.stringify(Guardado.parse(guardado))));
}
