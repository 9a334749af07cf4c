import { PassThrough, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Db } from '~db/client.server';
import { readArchivo } from './archivos.server';

/** One file of a ZIP: a stored file, which is read when its turn comes, a text in its parts, or bytes. */
export type Entrada = { nombre: string; fecha?: Date } & (
  { archivoId: string } | { texto: readonly string[] } | { bytes: Buffer }
);

const RETIRADOS = 'Retirados.txt';
/** Mode of the files: readable by everybody. */
const MODE = 0o100644;
/** Files that are packed already. */
const PACKED = /\.(?:pdf|jpg|png|webp|xlsx|zip)$/i;

/**
 * Streams files as one ZIP, written while the ZIP is read: the next file is asked for once the one before was taken, so memory holds one. A stored file that
 * was removed meanwhile is named in a list inside. Whoever stops reading ends `entradas` too.
 */
export function streamZip(db: Db, entradas: AsyncIterable<Entrada>): Readable {
  const zip = new ZipFile();
  const salida = zip.outputStream as Readable;
  const ido = new AbortController();
  salida.once('close', () => ido.abort());
  // A failure destroys the stream, and its reader hears of that; before there is a reader nobody does.
  salida.on('error', () => undefined);
  zip.once('error', (error) => salida.destroy(error as Error));
  fill(zip, db, entradas, ido.signal).catch((error: unknown) => salida.destroy(error as Error));
  return salida;
}

async function fill(zip: ZipFile, db: Db, entradas: AsyncIterable<Entrada>, signal: AbortSignal): Promise<void> {
  const retirados: string[] = [];
  for await (const entrada of entradas) {
    const contenido = await contentOf(db, entrada);
    if (contenido === undefined) retirados.push(entrada.nombre);
    else await add(zip, entrada, contenido, signal);
  }
  if (retirados.length > 0) await add(zip, { nombre: RETIRADOS }, listOf(retirados), signal);
  zip.end();
}

type Take = (error: null, stream: Readable) => void;
/** What yazl 3 has and its types lack: a file whose stream is asked for when its turn comes. */
type Lazy = { addReadStreamLazy(nombre: string, options: object, give: (take: Take) => void): void };

/** Gives a stream once, and forgets it: the archive keeps the giver of each file until its end. */
function handOver(stream: Readable): (take: Take) => void {
  const held = [stream];
  return (take) => take(null, held.pop()!);
}

/** Adds a file, and waits until it was taken. */
async function add(
  zip: ZipFile,
  { nombre, fecha = new Date() }: Pick<Entrada, 'nombre' | 'fecha'>,
  contenido: Buffer | readonly string[],
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const stream = new PassThrough();
  for (const parte of Buffer.isBuffer(contenido) ? [contenido] : contenido) stream.write(parte);
  stream.end();
  const options = { mode: MODE, mtime: fecha, compress: !PACKED.test(nombre) };
  (zip as unknown as Lazy).addReadStreamLazy(nombre, options, handOver(stream));
  try {
    await finished(stream, { signal });
  } finally {
    stream.destroy();
  }
}

async function contentOf(db: Db, entrada: Entrada): Promise<Buffer | readonly string[] | undefined> {
  if ('texto' in entrada) return entrada.texto;
  if ('bytes' in entrada) return entrada.bytes;
  return (await readArchivo(db, entrada.archivoId))?.contenido;
}

const listOf = (nombres: readonly string[]) => [
  textoDeWindows(['Estos archivos se retiraron después de que se preparó este ZIP:', '', ...nombres]),
];

/** Returns lines as one text with the line ends and the mark (BOM) that Windows needs for accents. */
export const textoDeWindows = (lineas: readonly string[]): string => `\ufeff${[...lineas, ''].join('\r\n')}`;
