import { inflateRawSync } from 'node:zlib';
import { NotAllowed } from '~/core/errors';
import { tableOf } from '~/core/table';
import type { Formato } from '../aplicacion';
import { readManifiesto, type Manifiesto } from './manifiesto';

/** Bytes of a file that is not in memory; past its end there are none. */
export type Lector = { bytes: number; lee: (from: number, to: number) => Promise<Buffer> };

export type Paquete = { formato: Formato } & Manifiesto;

const FIN = 0x06054b50;
const ENTRADA = 0x02014b50;
const LOCAL = 0x04034b50;
/** The end of a ZIP and the longest comment behind it. */
const MAX_FIN = 22 + 0xffff;
const MAX_DIRECTORIO = 16 * 1024 * 1024;
const MAX_MANIFIESTO = 4 * 1024 * 1024;
const FIRMA_V2 = 'APK Sig Block 42';
const FIRMA_V1 = /^META-INF\/[^/]+\.(?:RSA|DSA|EC)$/i;

const MANIFIESTOS: Readonly<Record<string, Formato>> = tableOf({
  'AndroidManifest.xml': 'apk',
  'base/manifest/AndroidManifest.xml': 'aab',
});

const no = (texto: string) => new NotAllowed('No se pudo leer la app', texto);

/**
 * Reads the format and the manifest of an APK or AAB, which is a ZIP with a manifest and a signature
 * (https://source.android.com/docs/security/features/apksigning). The telephone decides whether the signature is right. Throws NotAllowed for a file of
 * another kind.
 */
export async function readPaquete(file: Lector): Promise<Paquete> {
  const { directorio, en } = await readDirectorio(file);
  const entradas = [...entradasOf(directorio)];
  const found = entradas.find(({ nombre }) => Object.hasOwn(MANIFIESTOS, nombre));
  if (!found) throw no('El archivo no tiene un AndroidManifest.xml: elige un APK o un AAB.');
  const formato = MANIFIESTOS[found.nombre]!;
  const firmado =
    (formato === 'apk' && (await hasFirmaV2(file, en))) || entradas.some((one) => FIRMA_V1.test(one.nombre));
  if (!firmado) throw no('La app no está firmada: ningún teléfono la instalaría.');
  return { formato, ...readManifiesto(await contenidoOf(file, found), formato) };
}

async function readDirectorio(file: Lector): Promise<{ directorio: Buffer; en: number }> {
  const start = Math.max(0, file.bytes - MAX_FIN);
  const tail = await file.lee(start, file.bytes);
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== FIN || at + 22 + tail.readUInt16LE(at + 20) !== tail.length) continue;
    const size = tail.readUInt32LE(at + 12);
    const en = tail.readUInt32LE(at + 16);
    if (size > MAX_DIRECTORIO || en + size > start + at) break;
    return { directorio: await file.lee(en, en + size), en };
  }
  throw no('El archivo no es un APK ni un AAB, o llegó incompleto.');
}

type Entrada = { nombre: string; metodo: number; comprimido: number; entero: number; en: number };

function* entradasOf(directorio: Buffer): Generator<Entrada> {
  for (let at = 0; at + 46 <= directorio.length && directorio.readUInt32LE(at) === ENTRADA;) {
    const nameEnd = at + 46 + directorio.readUInt16LE(at + 28);
    yield {
      nombre: directorio.toString('utf8', at + 46, nameEnd),
      metodo: directorio.readUInt16LE(at + 10),
      comprimido: directorio.readUInt32LE(at + 20),
      entero: directorio.readUInt32LE(at + 24),
      en: directorio.readUInt32LE(at + 42),
    };
    at = nameEnd + directorio.readUInt16LE(at + 30) + directorio.readUInt16LE(at + 32);
  }
}

async function contenidoOf(file: Lector, { metodo, comprimido, entero, en }: Entrada): Promise<Buffer> {
  const head = await file.lee(en, en + 30);
  if (head.length < 30 || head.readUInt32LE(0) !== LOCAL || comprimido > MAX_MANIFIESTO || entero > MAX_MANIFIESTO)
    throw no('Su AndroidManifest.xml no se puede leer.');
  const from = en + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  const raw = await file.lee(from, from + comprimido);
  if (metodo === 0) return raw;
  try {
    return inflateRawSync(raw, { maxOutputLength: MAX_MANIFIESTO });
  } catch (error) {
    throw new NotAllowed('No se pudo leer la app', 'Su AndroidManifest.xml no se puede leer.', { cause: error });
  }
}

/** Signatures of the second scheme and later stand right before the directory. */
async function hasFirmaV2(file: Lector, directorioEn: number): Promise<boolean> {
  if (directorioEn < FIRMA_V2.length) return false;
  return (await file.lee(directorioEn - FIRMA_V2.length, directorioEn)).toString('latin1') === FIRMA_V2;
}
