import type { Formato } from '../aplicacion';

/** The root of a manifest: package, version and code; null for a field that is left to a resource, or missing. */
export type Manifiesto = { paquete: string | null; version: string | null; codigo: string | null };

type Atributos = Record<string, string>;

const MAX_TEXTO = 200;
const clean = (text: string | undefined): string | null =>
  text
    ?.replace(/[\p{Cc}\p{Cs}]/gu, '')
    .trim()
    .slice(0, MAX_TEXTO) || null;

/** Reads the two ways Android writes a manifest. One that cannot be read says nothing. */
export function readManifiesto(bytes: Buffer, formato: Formato): Manifiesto {
  let found: Atributos = {};
  try {
    found = formato === 'apk' ? raizBinaria(bytes) : raizProto(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return { paquete: clean(found.package), version: clean(found.versionName), codigo: clean(found.versionCode) };
}

/** Their names may be left out: then only these numbers tell which attribute it is. */
const POR_RECURSO: Readonly<Record<number, string>> = { 0x0101021b: 'versionCode', 0x0101021c: 'versionName' };

const ES_TEXTO = 0x03;
const ES_ENTERO = 0x10;
const ES_HEXADECIMAL = 0x11;

/** Of an APK: chunks of 'ResXMLTree' (AOSP, androidfw/ResourceTypes.h). */
function raizBinaria(bytes: Buffer): Atributos {
  let textos: (at: number) => string | undefined = () => undefined;
  let recursos: readonly number[] = [];
  for (let at = bytes.readUInt16LE(2); at + 8 <= bytes.length;) {
    const type = bytes.readUInt16LE(at);
    const size = bytes.readUInt32LE(at + 4);
    if (size < 8) break;
    const chunk = bytes.subarray(at, at + size);
    if (type === 0x0001) textos = textosOf(chunk);
    if (type === 0x0180)
      recursos = Array.from({ length: (chunk.length - 8) >> 2 }, (_, i) => chunk.readUInt32LE(8 + i * 4));
    if (type === 0x0102) return atributosOf(chunk, textos, recursos);
    at += size;
  }
  return {};
}

function atributosOf(
  chunk: Buffer,
  textos: (at: number) => string | undefined,
  recursos: readonly number[],
): Atributos {
  const head = chunk.readUInt16LE(2);
  const start = head + chunk.readUInt16LE(head + 8);
  const size = chunk.readUInt16LE(head + 10);
  const found: Atributos = {};
  for (let i = 0; i < chunk.readUInt16LE(head + 12); i++) {
    const at = start + i * size;
    const name = chunk.readUInt32LE(at + 4);
    const type = chunk.readUInt8(at + 15);
    const value = chunk.readUInt32LE(at + 16);
    const key = POR_RECURSO[recursos[name] ?? 0] ?? textos(name);
    const text =
      type === ES_TEXTO ? textos(value) : type === ES_ENTERO || type === ES_HEXADECIMAL ? String(value) : undefined;
    if (key && text !== undefined) found[key] ??= text;
  }
  return found;
}

function textosOf(chunk: Buffer): (at: number) => string | undefined {
  const count = chunk.readUInt32LE(8);
  const utf8 = (chunk.readUInt32LE(16) & 0x100) !== 0;
  const start = chunk.readUInt32LE(20);
  const head = chunk.readUInt16LE(2);
  return (index) => {
    if (index >= count) return undefined;
    let at = start + chunk.readUInt32LE(head + index * 4);
    if (!utf8) {
      const length = chunk.readUInt16LE(at);
      return chunk.toString('utf16le', at + 2, at + 2 + Math.min(length, MAX_TEXTO) * 2);
    }
    // Its length in letters, then in bytes; one of two bytes has its highest bit set.
    at += chunk.readUInt8(at) & 0x80 ? 2 : 1;
    const first = chunk.readUInt8(at);
    const length = first & 0x80 ? ((first & 0x7f) << 8) | chunk.readUInt8(at + 1) : first;
    at += first & 0x80 ? 2 : 1;
    return chunk.toString('utf8', at, at + length);
  };
}

/** Of an AAB: protocol buffers (AOSP, aapt2/Resources.proto: XmlNode.element, XmlElement.attribute, XmlAttribute.name and value). */
function raizProto(bytes: Buffer): Atributos {
  const found: Atributos = {};
  const element = [...camposOf(bytes)].find(({ campo }) => campo === 1)?.valor;
  if (!element) return found;
  for (const { campo, valor } of camposOf(element)) {
    if (campo !== 4) continue;
    const parts = new Map([...camposOf(valor)].map((one) => [one.campo, one.valor.toString('utf8')]));
    const [name, value] = [parts.get(2), parts.get(3)];
    if (name && value) found[name] ??= value;
  }
  return found;
}

/** Fields that hold bytes; numbers are passed over. */
function* camposOf(bytes: Buffer): Generator<{ campo: number; valor: Buffer }> {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = bytes.readUInt8(at++);
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('a number of too many bytes');
  };
  while (at < bytes.length) {
    const tag = varint();
    const wire = tag & 7;
    if (wire === 0) varint();
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else if (wire === 2) {
      const length = varint();
      if (at + length > bytes.length) throw new RangeError('a field beyond the end');
      yield { campo: tag >>> 3, valor: bytes.subarray(at, at + length) };
      at += length;
    } else throw new RangeError('a field of no known kind');
  }
}
