import { DOMParser, type Document } from '@xmldom/xmldom';
import { UnexpectedShape } from '~/integrations/errors';

const MAX_BYTES = 16 * 1024 * 1024;
/**
 * Limits of an XML that a person brings. Tags and attributes cost a parser more than bytes do, and the process serves
 * no other request while parsing.
 */
export type Tamano = { tags: number; attributes: number };
const AJENO: Tamano = { tags: 15_000, attributes: 25_000 };

/** Returns whether an XML has more tags or attributes than a person may bring. The count needs no parser. */
export const isExcesivo = (contenido: Buffer, { tags, attributes }: Tamano = AJENO): boolean =>
  countOf(contenido, '<') > tags || countOf(contenido, '=') > attributes;

function countOf(contenido: Buffer, character: '<' | '='): number {
  const code = character.charCodeAt(0);
  let count = 0;
  for (const byte of contenido) if (byte === code) count++;
  return count;
}

/** Reads an XML that a person brought: `parseXml` with the limits of `isExcesivo`. Throws `UnexpectedShape`. */
export function parseXmlAjeno(contenido: Buffer): Document {
  if (isExcesivo(contenido)) throw new UnexpectedShape('el XML tiene demasiados elementos');
  return parseXml(contenido);
}

/**
 * Reads an XML from outside: at most 16 MB, in UTF-8, without DOCTYPE or entities. Blanks before the declaration are
 * tolerated. Throws `UnexpectedShape` with the reason.
 */
export function parseXml(contenido: Buffer | string): Document {
  const size = typeof contenido === 'string' ? Buffer.byteLength(contenido) : contenido.length;
  if (size > MAX_BYTES) throw new UnexpectedShape(`el XML pesa más de ${MAX_BYTES} bytes`);
  const text = typeof contenido === 'string' ? contenido : decode(contenido);
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new UnexpectedShape('el XML declara un DOCTYPE o entidades');
  const fail = (level: string, message: string): never => {
    throw new UnexpectedShape(`el XML está mal formado (${level}: ${message.split('\n')[0]})`);
  };
  try {
    return new DOMParser({ onError: fail }).parseFromString(text.trimStart(), 'text/xml');
  } catch (error) {
    if (error instanceof UnexpectedShape) throw error;
    throw new UnexpectedShape('el XML está mal formado', { cause: error });
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new UnexpectedShape('el XML no está en UTF-8', { cause: error });
  }
}
