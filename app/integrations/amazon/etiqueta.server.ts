import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { Unavailable } from '../errors';
import type { Shipment } from './wireGuias';

/** Most bytes of a label: a label is a page or two. */
const MAX_BYTES = 5 * 1024 * 1024;
const BASE64 = /^[a-z\d+/]+={0,2}$/i;

export type Etiqueta = { tipo: string; extension: string; contenido: Buffer };

/** Returns the type of a file by its first bytes: the told type is not always right. */
const CLASES = [
  { tipo: 'application/pdf', extension: 'pdf', empieza: '%PDF' },
  { tipo: 'image/png', extension: 'png', empieza: '\x89PNG' },
  { tipo: 'application/zpl', extension: 'zpl', empieza: '^XA' },
] as const;

/**
 * Returns the label of a shipment, unpacked and compared with its checksum. Nobody says of which bytes the checksum is, so that of the packed bytes
 * counts as well. Throws Unavailable for a label that is not whole or not there yet: the label is paid for, and is asked for again.
 */
export function openEtiqueta({ Label }: Pick<Shipment, 'Label'>): Etiqueta {
  const { Contents, Checksum } = Label?.FileContents ?? {};
  if (!Contents) throw new Unavailable('Amazon todavía no entrega la guía');
  const escrito = Contents.length > 2 * MAX_BYTES ? '' : Contents.replace(/\s+/g, '');
  if (!BASE64.test(escrito)) throw damaged();
  const empacado = Buffer.from(escrito, 'base64');
  const contenido = unpacked(empacado);
  if (Checksum && !sumsOf(contenido, empacado).includes(Checksum)) throw damaged();
  const clase = CLASES.find(({ empieza }) => contenido.subarray(0, empieza.length).toString('latin1') === empieza);
  if (!clase) throw damaged();
  return { tipo: clase.tipo, extension: clase.extension, contenido };
}

const damaged = (cause?: unknown) => new Unavailable('La guía de Amazon llegó dañada', { cause });

function unpacked(empacado: Buffer): Buffer {
  try {
    return gunzipSync(empacado, { maxOutputLength: MAX_BYTES });
  } catch (cause) {
    throw damaged(cause);
  }
}

/** Tells whether a checksum fits some bytes: it is documented in base64, and MD5 is as often written in hexadecimal. */
const sumsOf = (...of: Buffer[]) =>
  of.flatMap((bytes) => {
    const sum = createHash('md5').update(bytes).digest();
    return [sum.toString('base64'), sum.toString('hex'), sum.toString('hex').toUpperCase()];
  });
