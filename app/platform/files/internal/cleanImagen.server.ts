import { crc32 } from 'node:zlib';

/** Formats of pictures that can be cleaned. */
export type TipoDeImagen = 'image/jpeg' | 'image/png' | 'image/webp';

/**
 * Outcome of a cleaning. `ilegible`: the bytes break the rules of their format. `enorme`: the picture would unpack to more points than anybody
 * photographs.
 */
export type Limpia = { tipo: 'limpia'; contenido: Buffer } | { tipo: 'ilegible' } | { tipo: 'enorme' };

/** Most points of a picture: those of the largest cameras in telephones, and some to spare. */
const MAX_PIXELS = 120_000_000;
/** Largest profile of colours: some name a place or a person, and none needs so much. */
const MAX_PERFIL = 1_048_576;

class Ilegible extends Error {}
class Enorme extends Error {}

const LIMPIAR = { 'image/jpeg': jpeg, 'image/png': png, 'image/webp': webp } satisfies Record<
  TipoDeImagen,
  (file: Buffer) => Buffer[]
>;

/**
 * Returns a picture without anything that it tells besides itself: where, with what and by whom it was taken, its notes, its small copy, and bytes
 * behind its end. Its points stay byte by byte, and so does which side is up. A file that breaks the rules of its format is refused, since nobody
 * knows what else it is.
 */
export function cleanImagen(tipo: TipoDeImagen, file: Buffer): Limpia {
  try {
    return { tipo: 'limpia', contenido: Buffer.concat(LIMPIAR[tipo](file)) };
  } catch (error) {
    if (error instanceof Enorme) return { tipo: 'enorme' };
    // A file that was cut is read past its end.
    if (error instanceof Ilegible || error instanceof RangeError) return { tipo: 'ilegible' };
    throw error;
  }
}

function requireSize(width: number, height: number): void {
  if (!(width > 0 && height > 0)) throw new Ilegible();
  if (width * height > MAX_PIXELS) throw new Enorme();
}

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP1 = 0xe1;
const APP2 = 0xe2;
/** Returns whether a marker starts a frame, whatever the coding; 0xc4, 0xc8 and 0xcc are tables. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
/** Returns whether a marker belongs to the picture itself: tables, frames, scans and restarts. */
const isPicture = (marker: number) => marker >= 0xc0 && marker <= 0xdf && marker !== SOI && marker !== EOI;

const starts = (bytes: Buffer, text: string) => bytes.subarray(0, text.length).toString('latin1') === text;

function keepsJpeg(marker: number, data: Buffer): boolean {
  if (isPicture(marker)) return true;
  if (marker === 0xe0) return starts(data, 'JFIF\0');
  if (marker === APP2) return starts(data, 'ICC_PROFILE\0');
  // Adobe's segment tells how the colours are coded.
  return marker === 0xee && starts(data, 'Adobe');
}

function jpeg(file: Buffer): Buffer[] {
  if (file.readUInt16BE(0) !== 0xff00 + SOI) throw new Ilegible();
  const kept: Buffer[] = [file.subarray(0, 2)];
  let [at, orientation, framed, scanned] = [2, 1, false, false];
  for (;;) {
    if (file.readUInt8(at) !== 0xff) throw new Ilegible();
    // Any number of 0xff may stand before a marker.
    while (file.readUInt8(at + 1) === 0xff) at++;
    const marker = file.readUInt8(at + 1);
    if (marker === EOI) break;
    const end = at + 2 + file.readUInt16BE(at + 2);
    if (end > file.length || end < at + 4) throw new Ilegible();
    const data = file.subarray(at + 4, end);
    if (isFrame(marker)) {
      requireSize(data.readUInt16BE(3), data.readUInt16BE(1));
      framed = true;
    }
    if (marker === APP1 && starts(data, 'Exif\0\0')) orientation = orientationOf(data.subarray(6)) ?? orientation;
    if (keepsJpeg(marker, data)) kept.push(file.subarray(at, end));
    at = end;
    if (marker !== SOS) continue;
    if (!framed) throw new Ilegible();
    scanned = true;
    const scanEnd = endOfScan(file, at);
    kept.push(file.subarray(at, scanEnd));
    at = scanEnd;
  }
  if (!scanned) throw new Ilegible();
  if (orientation !== 1) kept.splice(1, 0, exifSegment(orientation));
  return [...kept, Buffer.from([0xff, EOI])];
}

/** Returns where the coded points end: at the next marker that is no restart. 0xff00 stands for a 0xff among the points. */
function endOfScan(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at !== -1; at = file.indexOf(0xff, at + 1)) {
    const next = file.readUInt8(at + 1);
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  throw new Ilegible();
}

const ORIENTATION = 0x0112;

/** Returns which side is up, 1 to 8, from the first directory of an EXIF block; undefined where the block does not tell. */
function orientationOf(tiff: Buffer): number | undefined {
  try {
    const little = starts(tiff, 'II');
    if (!little && !starts(tiff, 'MM')) return undefined;
    const u16 = (at: number) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
    const directory = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
    const entries = u16(directory);
    for (let n = 0; n < entries; n++) {
      const entry = directory + 2 + n * 12;
      if (u16(entry) !== ORIENTATION) continue;
      const value = u16(entry + 8);
      return value >= 1 && value <= 8 ? value : undefined;
    }
    return undefined;
  } catch (error) {
    // A broken block of notes is dropped like any other, and the picture stays.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns an EXIF block that tells which side is up, and nothing else. */
function exifOf(orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('MM\0*', 0, 'latin1');
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(1, 8);
  tiff.writeUInt16BE(ORIENTATION, 10);
  tiff.writeUInt16BE(3, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}

function exifSegment(orientation: number): Buffer {
  const data = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exifOf(orientation)]);
  const head = Buffer.from([0xff, APP1, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Chunks of a PNG that are kept: the points, and how their colours are coded. */
const PNG_KEPT = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'sBIT', 'pHYs']);

function png(file: Buffer): Buffer[] {
  if (!file.subarray(0, PNG.length).equals(PNG)) throw new Ilegible();
  const kept: Buffer[] = [PNG];
  let [at, orientation, painted] = [PNG.length, 1, false];
  for (;;) {
    const end = at + 12 + file.readUInt32BE(at);
    const name = file.subarray(at + 4, at + 8).toString('latin1');
    const data = file.subarray(at + 8, end - 4);
    if (end > file.length || crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) throw new Ilegible();
    if ((kept.length === 1) !== (name === 'IHDR')) throw new Ilegible();
    if (name === 'IHDR') requireSize(data.readUInt32BE(0), data.readUInt32BE(4));
    if (name === 'eXIf') orientation = orientationOf(data) ?? orientation;
    if (name === 'IDAT' && !painted && orientation !== 1) kept.push(pngChunk('eXIf', exifOf(orientation)));
    painted ||= name === 'IDAT';
    if (PNG_KEPT.has(name) && (name !== 'iCCP' || data.length <= MAX_PERFIL)) kept.push(file.subarray(at, end));
    if (name === 'IEND') break;
    at = end;
  }
  if (!painted) throw new Ilegible();
  return kept;
}

function pngChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

const WEBP_KEPT = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ICCP', 'ANIM', 'ANMF']);
/** Flags of VP8X for a file with EXIF, or with XMP. */
const WITH_EXIF = 0x08;
const WITH_XMP = 0x04;

function webp(file: Buffer): Buffer[] {
  if (!starts(file, 'RIFF') || !starts(file.subarray(8), 'WEBP')) throw new Ilegible();
  const size = 8 + file.readUInt32LE(4);
  if (size > file.length) throw new Ilegible();
  const kept: Buffer[] = [];
  let [orientation, painted] = [1, false];
  let extended: Buffer | undefined;
  for (let at = 12; at < size;) {
    const name = file.subarray(at, at + 4).toString('latin1');
    const length = file.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (end > size) throw new Ilegible();
    const data = file.subarray(at + 8, at + 8 + length);
    requireWebpSize(name, data);
    painted ||= name === 'VP8 ' || name === 'VP8L' || name === 'ANMF';
    if (name === 'EXIF') orientation = orientationOf(starts(data, 'Exif\0\0') ? data.subarray(6) : data) ?? orientation;
    if (name === 'VP8X') kept.push((extended = Buffer.from(file.subarray(at, end))));
    else if (WEBP_KEPT.has(name)) kept.push(file.subarray(at, end));
    at = end;
  }
  if (!painted) throw new Ilegible();
  if (extended) {
    const flags = extended.readUInt8(8) & ~WITH_EXIF & ~WITH_XMP;
    extended.writeUInt8(orientation === 1 ? flags : flags | WITH_EXIF, 8);
    if (orientation !== 1) kept.push(webpChunk('EXIF', exifOf(orientation)));
  }
  const body = Buffer.concat(kept);
  const head = Buffer.from(file.subarray(0, 12));
  head.writeUInt32LE(body.length + 4, 4);
  return [head, body];
}

function webpChunk(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 0, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

function requireWebpSize(name: string, data: Buffer): void {
  if (name === 'VP8X') requireSize(data.readUIntLE(4, 3) + 1, data.readUIntLE(7, 3) + 1);
  if (name === 'VP8 ') requireSize(data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff);
  if (name === 'VP8L') {
    const bits = data.readUInt32LE(1);
    requireSize((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
}
