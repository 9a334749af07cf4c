import { inflateSync } from 'node:zlib';

/** Most points of an image: a telephone's photograph, with some room. The PDF reader has the same limit. */
export const MAX_PIXELS = 16 * 1_048_576;
/** A file beyond the limits. */
export class TooLarge extends Error {}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/** Returns whether the file begins as a PNG. */
export const isPng = (file) => file.subarray(0, 8).equals(PNG);
/** Returns whether the file begins as a JPEG. */
export const isJpeg = (file) => file.subarray(0, 3).equals(JPEG);

function requireSize(width, height) {
  if (!(width > 0 && height > 0)) throw new Error('an image without a size');
  if (width * height > MAX_PIXELS) throw new TooLarge();
}

/**
 * Returns the lightness of each point of an image, a byte each. `channels` is the number of bytes per point: 1 grey, 2
 * grey with alpha, 3 colour, 4 colour with alpha. Transparent points count as white paper.
 */
export function lumaOf(data, points, channels) {
  const luma = new Uint8Array(points);
  const [colour, alpha] = [channels > 2, channels % 2 === 0];
  for (let at = 0, from = 0; at < points; at++, from += channels) {
    const value = colour ? (data[from] * 77 + data[from + 1] * 150 + data[from + 2] * 29) >> 8 : data[from];
    const covers = alpha ? data[from + channels - 1] : 255;
    luma[at] = covers === 255 ? value : 255 + (((value - 255) * covers) >> 8);
  }
  return luma;
}

/** Returns the lightness of an image with eight points per byte, where every row starts a new byte and 1 is light. */
export function lumaOfBits(data, width, height) {
  const row = (width + 7) >> 3;
  const luma = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) luma[y * width + x] = data[y * row + (x >> 3)] & (0x80 >> (x & 7)) ? 255 : 0;
  return luma;
}

/** Samples per point, by PNG colour type; type 3 is an index into the palette. */
const SAMPLES = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** Allowed bits per sample, by colour type. */
const DEPTHS = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] };

/**
 * Reads a PNG without interlacing, the kind that cameras and screens write: { width, height, luma }. Throws Error for
 * other PNGs, TooLarge above `MAX_PIXELS`.
 */
export function readPng(file) {
  const { header, palette, packed } = chunksOf(file);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, kind, compression, filter, interlaced] = header.subarray(8, 13);
  if (!DEPTHS[kind]?.includes(depth) || compression !== 0 || filter !== 0 || interlaced !== 0)
    throw new Error('a PNG of another kind');
  requireSize(width, height);
  const bits = SAMPLES[kind] * depth;
  const row = Math.ceil((width * bits) / 8);
  const rows = inflateSync(Buffer.concat(packed), { maxOutputLength: (row + 1) * height });
  if (rows.length < (row + 1) * height) throw new Error('a PNG that ends early');
  unfilter(rows, row, height, Math.max(1, bits >> 3));
  const samples = samplesOf(rows, { row, height, width: width * SAMPLES[kind], depth, scaled: kind !== 3 });
  if (kind !== 3) return { width, height, luma: lumaOf(samples, width * height, SAMPLES[kind]) };
  const shades = lumaOf(palette, palette.length / 3, 3);
  return { width, height, luma: samples.map((index) => shades[index] ?? 255) };
}

function chunksOf(file) {
  let [header, palette] = [undefined, Buffer.alloc(0)];
  const packed = [];
  for (let at = PNG.length; at + 12 <= file.length;) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const data = file.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR' && data.length === 13) header ??= data;
    if (type === 'PLTE') palette = data.subarray(0, data.length - (data.length % 3));
    if (type === 'IDAT') packed.push(data);
    if (type === 'IEND') break;
    at += 12 + length;
  }
  if (!header) throw new Error('a PNG without its header');
  return { header, palette, packed };
}

/**
 * Undoes the filter of each row in place, from the points to the left and above. The first byte of a row names its
 * filter.
 */
function unfilter(rows, row, height, step) {
  for (let y = 0; y < height; y++) {
    const start = y * (row + 1);
    const filter = rows[start];
    for (let x = 1; x <= row && filter > 0; x++) {
      const left = x > step ? rows[start + x - step] : 0;
      const above = y > 0 ? rows[start + x - row - 1] : 0;
      const corner = x > step && y > 0 ? rows[start + x - step - row - 1] : 0;
      rows[start + x] += [left, above, (left + above) >> 1, paeth(left, above, corner)][filter - 1];
    }
  }
}

function paeth(left, above, corner) {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

/** Returns a byte per sample, whatever the depth. */
function samplesOf(rows, { row, height, width, depth, scaled }) {
  const samples = new Uint8Array(width * height);
  const most = (1 << Math.min(depth, 8)) - 1;
  for (let y = 0; y < height; y++) {
    const start = y * (row + 1) + 1;
    for (let x = 0; x < width; x++) {
      const bit = x * depth;
      // The first eight of sixteen bits are precise enough.
      const value =
        depth >= 8 ? rows[start + (bit >> 3)] : (rows[start + (bit >> 3)] >> (8 - depth - (bit & 7))) & most;
      samples[y * width + x] = scaled && depth < 8 ? (value * 255) / most : value;
    }
  }
  return samples;
}

/**
 * Returns a photograph as a PDF of a single page. The PDF reader decodes JPEG in half the time and memory of separate
 * decoders, under the same limits.
 */
export function pdfOfJpeg(file) {
  const { width, height, samples } = sizeOfJpeg(file);
  requireSize(width, height);
  const space = { 1: '/DeviceGray', 4: '/DeviceCMYK' }[samples] ?? '/DeviceRGB';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>',
    '<< /Length 5 >>\nstream\n/I Do\nendstream',
    [
      `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace ${space}`,
      `/Filter /DCTDecode /Length ${file.length} >>\nstream\n`,
    ].join(' '),
  ];
  return Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...objects.slice(0, 4).map((text, at) => Buffer.from(`${at + 1} 0 obj\n${text}\nendobj\n`)),
    Buffer.from(`5 0 obj\n${objects[4]}`),
    file,
    Buffer.from('\nendstream\nendobj\ntrailer << /Root 1 0 R /Size 6 >>\n%%EOF'),
  ]);
}

/** Returns the size of a JPEG, from its frame among the segments before the picture data. */
function sizeOfJpeg(file) {
  for (let at = 2; at + 9 < file.length;) {
    if (file[at] !== 0xff) break;
    const marker = file[at + 1];
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (frame) return { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7), samples: file[at + 9] };
    at += marker === 0xff ? 1 : 2 + file.readUInt16BE(at + 2);
  }
  throw new Error('a JPEG without its frame');
}
