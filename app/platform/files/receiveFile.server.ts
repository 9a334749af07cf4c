import { env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { createClamd } from '~/integrations/clamd/client.server';
import { Unavailable, UnexpectedShape } from '~/integrations/errors';
import { parseXmlAjeno } from '~/integrations/xml.server';
import { cleanImagen } from './internal/cleanImagen.server';
import { MAX_ARCHIVO_MB, nombreOfArchivo, type TipoDeArchivo } from './tipos';

/** The virus scanner could not be asked. Nothing is wrong with the file, and the same one may be sent again. */
export class SinAntivirus extends NotAllowed {}

/** A file as it may be kept and shown. */
export type Recibido = { nombre: string; tipo: TipoDeArchivo; contenido: Buffer };

const TITULO = 'Error de carga.';
const MAX_BYTES = MAX_ARCHIVO_MB * 1_048_576;
/** Largest XML; those of a bank have some KB. */
const MAX_XML = 512 * 1024;

type Motivo = 'vacio' | 'grande' | 'otro' | 'ilegible' | 'enorme';
const MOTIVOS: Record<Motivo, string> = {
  vacio: 'El archivo está vacío.',
  grande: `Pesa más de ${MAX_ARCHIVO_MB} MB.`,
  otro: 'No es una imagen (JPEG, PNG o WebP), un PDF ni un XML.',
  ilegible: 'Está dañado o incompleto: no se pudo leer.',
  enorme: 'La imagen tiene demasiados puntos para mostrarse.',
};

/**
 * Returns files that a person sent as they may be kept and shown: their type known by their bytes, pictures without notes such as their place, and
 * all of them scanned for viruses where a scanner is set. Throws `NotAllowed` with the name of the file, and `SinAntivirus` when the scanner does not
 * answer.
 */
export async function receiveArchivos(
  files: readonly File[],
  campo: string,
  clamd: string = env().CLAMD,
): Promise<Recibido[]> {
  const recibidos: Recibido[] = [];
  for (const file of files) {
    const leido = await receive(file);
    if (typeof leido === 'string') throw refusalOf(file.name, MOTIVOS[leido], campo);
    if (clamd !== '') await requireSinVirus(clamd, leido, campo);
    recibidos.push(leido);
  }
  return recibidos;
}

/** Receives one file of one type, as `receiveArchivos` does, and throws like it. NotAllowed with the text `otro` tells of a file of another type. */
export async function receiveOne(
  file: File,
  tipo: TipoDeArchivo,
  { campo, otro }: { campo: string; otro: string },
): Promise<Recibido> {
  const head = Buffer.from(await file.slice(0, 64).arrayBuffer());
  if (file.size > 0 && tipoOf(head) !== tipo) throw new NotAllowed(TITULO, otro, { campo });
  const [recibido] = await receiveArchivos([file], campo);
  return recibido!;
}

const refusalOf = (nombre: string, motivo: string, campo: string) =>
  new NotAllowed(TITULO, `${[...nombre.normalize('NFC').replace(/\p{C}/gu, '')].slice(0, 60).join('')}: ${motivo}`, {
    campo,
  });

/** Reads a file, or returns why it is refused. The size is looked at first: a file that is too large is not even copied. */
async function receive(file: File): Promise<Recibido | Motivo> {
  if (file.size === 0) return 'vacio';
  if (file.size > MAX_BYTES) return 'grande';
  return readArchivo(file.name, Buffer.from(await file.arrayBuffer()));
}

/** Returns bytes as a file that may be kept, or why they are refused. */
export function readArchivo(nombre: string, bytes: Buffer): Recibido | Motivo {
  const tipo = tipoOf(bytes);
  if (tipo === undefined) return 'otro';
  const llamado = nombreOfArchivo(nombre, tipo);
  if (tipo === 'application/pdf') return { nombre: llamado, tipo, contenido: bytes };
  if (tipo === 'application/xml') return isXml(bytes) ? { nombre: llamado, tipo, contenido: bytes } : 'ilegible';
  const limpia = cleanImagen(tipo, bytes);
  return limpia.tipo === 'limpia' ? { nombre: llamado, tipo, contenido: limpia.contenido } : limpia.tipo;
}

/** Returns the type of a file by its first bytes. A PDF begins with its mark: where the mark stands further in, the file is something else first. */
export function tipoOf(bytes: Buffer): TipoDeArchivo | undefined {
  const head = bytes.subarray(0, 64).toString('latin1');
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp';
  if (head.startsWith('%PDF-')) return 'application/pdf';
  return /^(?:\xef\xbb\xbf)?\s*<\?xml\s/.test(head) ? 'application/xml' : undefined;
}

function isXml(bytes: Buffer): boolean {
  if (bytes.length > MAX_XML) return false;
  try {
    return parseXmlAjeno(bytes).documentElement !== null;
  } catch (error) {
    if (error instanceof UnexpectedShape) return false;
    throw error;
  }
}

/** Throws unless the scanner finds no virus: `NotAllowed` with the virus, `SinAntivirus` while the scanner cannot be asked. */
async function requireSinVirus(clamd: string, { nombre, contenido }: Recibido, campo: string): Promise<void> {
  let virus: string | null;
  try {
    virus = await createClamd(clamd).scan(contenido);
  } catch (error) {
    if (!(error instanceof Unavailable || error instanceof UnexpectedShape)) throw error;
    throw new SinAntivirus(
      TITULO,
      'El antivirus no responde y por eso no se recibió ningún archivo. Inténtalo en unos minutos.',
      { campo, cause: error },
    );
  }
  if (virus !== null) throw refusalOf(nombre, `El antivirus encontró ${virus}.`, campo);
}
