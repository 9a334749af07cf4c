import { createGunzip, createGzip } from 'node:zlib';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { toInstant } from '~/core/time';
import type { Entrada } from '~/platform/files/zip.server';

/**
 * Packs the files of a ZIP as they are kept until somebody downloads it: texts as they were, and stored files by their ids, since a month of papers is larger
 * than one row may be.
 */
export async function packEntradas(entradas: AsyncIterable<Entrada>): Promise<Buffer> {
  const gzip = createGzip();
  const packed = buffer(gzip);
  for await (const { fecha, ...entrada } of entradas) {
    const dice = 'bytes' in entrada ? { nombre: entrada.nombre, base64: entrada.bytes.toString('base64') } : entrada;
    const linea = JSON.stringify({ ...dice, ...(fecha && { fecha: fecha.getTime() }) });
    if (!gzip.write(`${linea}\n`)) await once(gzip, 'drain');
  }
  gzip.end();
  return packed;
}

const Linea = z.object({
  nombre: z.string(),
  fecha: z.number().optional(),
  archivoId: z.string().optional(),
  texto: z.array(z.string()).optional(),
  base64: z.string().optional(),
});

/** Reads packed files back, one after the other. */
export async function* unpackEntradas(contenido: Buffer): AsyncGenerator<Entrada> {
  const lineas = createInterface({ input: Readable.from(contenido, { objectMode: false }).pipe(createGunzip()) });
  for await (const linea of lineas) {
    const { nombre, fecha, archivoId, texto, base64 } = Linea.parse(JSON.parse(linea));
    const comun = { nombre, ...(fecha !== undefined && { fecha: toInstant(fecha) }) };
    if (archivoId !== undefined) yield { ...comun, archivoId };
    else if (base64 !== undefined) yield { ...comun, bytes: Buffer.from(base64, 'base64') };
    else yield { ...comun, texto: texto ?? [] };
  }
}
