/** Pictures drawn without any library: a JPEG in one tone of grey, of any size, and a PNG. */
import { crc32, deflateSync } from 'node:zlib';

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

export function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Grey, of eight bits a point.
  header.set([8, 0], 8);
  const row = Buffer.alloc(width + 1, 0x99);
  row[0] = 0;
  const points = Buffer.concat(Array.from({ length: height }, () => row));
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
