/** Pictures drawn without any library: a JPEG and a PNG in one tone of grey, of any size, and both with a figure in squares of eight points. */
import { crc32, deflateSync } from 'node:zlib';
import type { Color, Figura } from './figura';

const u16 = (value: number) => [value >> 8, value & 0xff];
const segment = (mark: number, data: readonly number[]) => [0xff, mark, ...u16(data.length + 2), ...data];

/** A JPEG of one component whose blocks all say 'like the one before': two bits a block. */
export function jpegOf(width: number, height: number): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const bits = blocks * 2;
  const scan = Buffer.alloc(Math.ceil(bits / 8));
  // The bits that fill up the last byte are ones.
  if (bits % 8 !== 0) scan[scan.length - 1] = 0xff >> (bits % 8);
  const oneCode = [1, ...Array.from({ length: 15 }, () => 0), 0];
  return Buffer.concat([
    Buffer.from([
      0xff,
      0xd8,
      ...segment(0xe0, [...Buffer.from('JFIF\0', 'latin1'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
      ...segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]),
      ...segment(0xc0, [8, ...u16(height), ...u16(width), 1, 1, 0x11, 0]),
      ...segment(0xc4, [0x00, ...oneCode]),
      ...segment(0xc4, [0x10, ...oneCode]),
      ...segment(0xda, [1, 1, 0x00, 0, 63, 0]),
    ]),
    scan,
    Buffer.from([0xff, 0xd9]),
  ]);
}

const SQUARE = 8;

/** The colours of a figure, square by square from the top left. */
function* squaresOf(figura: Figura, width: number, height: number): Generator<Color> {
  const [columns, rows] = [Math.ceil(width / SQUARE), Math.ceil(height / SQUARE)];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) yield figura((column + 0.5) / columns, (row + 0.5) / rows);
}

/** Brightness and the two differences of colour of JPEG, around 0. */
const ycc = ([red, green, blue]: Color) => [
  0.299 * red + 0.587 * green + 0.114 * blue - 128,
  -0.1687 * red - 0.3313 * green + 0.5 * blue,
  0.5 * red - 0.4187 * green - 0.0813 * blue,
];

/** A JPEG of three components. Each block is of one colour, told as its difference from the block before. */
export function jpegOfFigura(figura: Figura, width: number, height: number): Buffer {
  const bits: string[] = [];
  const before = [0, 0, 0];
  for (const color of squaresOf(figura, width, height))
    for (const [at, value] of ycc(color).entries()) {
      const level = Math.round(value * SQUARE);
      const moved = level - before[at]!;
      before[at] = level;
      const size = moved === 0 ? 0 : Math.floor(Math.log2(Math.abs(moved))) + 1;
      // The size in four bits, the difference in as many bits as it says, and the end of the block.
      bits.push(size.toString(2).padStart(4, '0'));
      if (size > 0) bits.push((moved > 0 ? moved : moved + 2 ** size - 1).toString(2).padStart(size, '0'));
      bits.push('0');
    }
  const text = bits.join('');
  const scan: number[] = [];
  for (let at = 0; at < text.length; at += 8) {
    const byte = parseInt(text.slice(at, at + 8).padEnd(8, '1'), 2);
    scan.push(byte);
    if (byte === 0xff) scan.push(0);
  }
  const twelveCodes = [
    0,
    0,
    0,
    12,
    ...Array.from({ length: 12 }, () => 0),
    ...Array.from({ length: 12 }, (_, at) => at),
  ];
  const oneCode = [1, ...Array.from({ length: 15 }, () => 0), 0];
  return Buffer.concat([
    Buffer.from([
      0xff,
      0xd8,
      ...segment(0xe0, [...Buffer.from('JFIF\0', 'latin1'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
      ...segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]),
      ...segment(0xc0, [8, ...u16(height), ...u16(width), 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]),
      ...segment(0xc4, [0x00, ...twelveCodes]),
      ...segment(0xc4, [0x10, ...oneCode]),
      ...segment(0xda, [3, 1, 0x00, 2, 0x00, 3, 0x00, 0, 63, 0]),
    ]),
    Buffer.from(scan),
    Buffer.from([0xff, 0xd9]),
  ]);
}

export function pngOfFigura(figura: Figura, width: number, height: number): Buffer {
  const columns = Math.ceil(width / SQUARE);
  const squares = [...squaresOf(figura, width, height)];
  const row = (at: number) => {
    const line = squares.slice(Math.floor(at / SQUARE) * columns).slice(0, columns);
    return Buffer.from([0, ...Array.from({ length: width }, (_, x) => line[Math.floor(x / SQUARE)]!).flat()]);
  };
  const lines = Array.from({ length: Math.ceil(height / SQUARE) }, (_, at) => row(at * SQUARE));
  const points = Array.from({ length: height }, (_, at) => lines[Math.floor(at / SQUARE)]!);
  return pngFrom(width, height, COLOURS, Buffer.concat(points));
}

const GREYS = 0;
const COLOURS = 2;

export function pngOf(width: number, height: number): Buffer {
  const row = Buffer.alloc(width + 1, 0x99);
  row[0] = 0;
  return pngFrom(width, height, GREYS, Buffer.concat(Array.from({ length: height }, () => row)));
}

/** A PNG of eight bits a sample. */
function pngFrom(width: number, height: number, kind: number, points: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, kind], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(points)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
