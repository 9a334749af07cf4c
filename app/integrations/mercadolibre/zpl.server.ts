import { inflateRawSync } from 'node:zlib';

const FIN = Buffer.from('PK\x05\x06', 'latin1');
const ENTRADA = 0x02014b50;
/** Most bytes of a label, unpacked: a label of some pages is a hundredth of it. */
const MAX_BYTES = 5 * 1024 * 1024;
const GUARDADO = 0;
const COMPRIMIDO = 8;

/** Returns the ZPL of an answer: the texts with labels of a ZIP one after the other, or the answer itself. Undefined when it has no whole label. */
export function zplIn(body: Buffer): Buffer | undefined {
  const texts = body.subarray(0, 2).toString('latin1') === 'PK' ? filesOf(body) : [body];
  const labels = texts.filter(isZpl);
  return labels.length > 0 ? Buffer.concat(labels) : undefined;
}

/** A text that begins and ends labels: as many as it begins. */
function isZpl(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  const [begun, ended] = [text.match(/\^XA/g)?.length ?? 0, text.match(/\^XZ/g)?.length ?? 0];
  return begun > 0 && begun === ended;
}

/** Returns the files of a ZIP by its list of contents; none for a ZIP that is not whole. */
function filesOf(zip: Buffer): Buffer[] {
  try {
    const files: Buffer[] = [];
    const end = zip.lastIndexOf(FIN);
    if (end < 0) return [];
    let at = zip.readUInt32LE(end + 16);
    for (let left = zip.readUInt16LE(end + 10); left > 0 && zip.readUInt32LE(at) === ENTRADA; left--) {
      const [way, packed, from] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)];
      const start = from + 30 + zip.readUInt16LE(from + 26) + zip.readUInt16LE(from + 28);
      const bytes = zip.subarray(start, start + packed);
      if (way === COMPRIMIDO) files.push(inflateRawSync(bytes, { maxOutputLength: MAX_BYTES }));
      else if (way === GUARDADO) files.push(bytes);
      at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    }
    return files;
  } catch {
    // A ZIP that was cut reads past its end, and damaged bytes do not unpack.
    return [];
  }
}
