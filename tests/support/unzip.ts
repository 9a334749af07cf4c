import { inflateRawSync } from 'node:zlib';

/** The files of an archive by its list of contents, in its order. */
export function unzipBytes(zip: Buffer): Record<string, Buffer> {
  const files: Record<string, Buffer> = {};
  let at = zip.readUInt32LE(zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1')) + 16);
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const [method, packed, name, extra, note] = [
      zip.readUInt16LE(at + 10),
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
    ] as const;
    const from = zip.readUInt32LE(at + 42);
    const start = from + 30 + zip.readUInt16LE(from + 26) + zip.readUInt16LE(from + 28);
    const bytes = zip.subarray(start, start + packed);
    files[zip.toString('utf8', at + 46, at + 46 + name)] = method === 8 ? inflateRawSync(bytes) : bytes;
    at += 46 + name + extra + note;
  }
  return files;
}

/** The files of an archive as text. */
export const unzip = (zip: Buffer): Record<string, string> =>
  Object.fromEntries(Object.entries(unzipBytes(zip)).map(([name, bytes]) => [name, bytes.toString()]));
