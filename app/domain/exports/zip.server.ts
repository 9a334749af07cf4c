import { once } from 'node:events';
import { createDeflateRaw, deflateRawSync } from 'node:zlib';

type Entry = { name: Buffer; crc: number; size: number; packed: Buffer };

/** A zip archive made in memory: only compressed bytes are kept while an entry is written piece by piece. */
export function createZip() {
  const entries: Entry[] = [];

  return {
    add(name: string, content: string) {
      const bytes = Buffer.from(content, 'utf8');
      entries.push({
        name: Buffer.from(name),
        crc: crcOf(0, bytes),
        size: bytes.length,
        packed: deflateRawSync(bytes),
      });
    },

    /** One entry at a time; compression runs off the event loop and `write` waits when it lags behind. */
    open(name: string) {
      const deflate = createDeflateRaw({ level: 4 });
      const chunks: Buffer[] = [];
      deflate.on('data', (chunk: Buffer) => chunks.push(chunk));
      const ended = once(deflate, 'end');
      let [crc, size] = [0, 0];
      return {
        async write(text: string) {
          const bytes = Buffer.from(text, 'utf8');
          crc = crcOf(crc, bytes);
          size += bytes.length;
          if (!deflate.write(bytes)) await once(deflate, 'drain');
        },
        async close() {
          deflate.end();
          await ended;
          entries.push({ name: Buffer.from(name), crc, size, packed: Buffer.concat(chunks) });
        },
      };
    },

    finish(): Buffer {
      const parts: Buffer[] = [];
      const directory: Buffer[] = [];
      let offset = 0;
      for (const entry of entries) {
        const local = Buffer.concat([header(0x04034b50, entry), entry.name]);
        directory.push(header(0x02014b50, entry, offset), entry.name);
        parts.push(local, entry.packed);
        offset += local.length + entry.packed.length;
      }
      const index = Buffer.concat(directory);
      const end = Buffer.alloc(22);
      end.writeUInt32LE(0x06054b50, 0);
      end.writeUInt16LE(entries.length, 8);
      end.writeUInt16LE(entries.length, 10);
      end.writeUInt32LE(index.length, 12);
      end.writeUInt32LE(offset, 16);
      return Buffer.concat([...parts, index, end]);
    },
  };
}

/** A local header (30 bytes), or a directory one (46) when it knows where its local one lies. Dates are fixed: same rows, same bytes. */
function header(signature: number, { name, crc, size, packed }: Entry, offset?: number): Buffer {
  const isDirectory = offset !== undefined;
  const bytes = Buffer.alloc(isDirectory ? 46 : 30);
  bytes.writeUInt32LE(signature, 0);
  const at = isDirectory ? 6 : 4;
  if (isDirectory) bytes.writeUInt16LE(20, 4);
  bytes.writeUInt16LE(20, at);
  bytes.writeUInt16LE(0x0800, at + 2);
  bytes.writeUInt16LE(8, at + 4);
  bytes.writeUInt16LE(0x0021, at + 8);
  bytes.writeUInt32LE(crc, at + 10);
  bytes.writeUInt32LE(packed.length, at + 14);
  bytes.writeUInt32LE(size, at + 18);
  bytes.writeUInt16LE(name.length, at + 22);
  if (isDirectory) bytes.writeUInt32LE(offset, 42);
  return bytes;
}

const CRC = Uint32Array.from({ length: 256 }, (_, at) => {
  let value = at;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

function crcOf(before: number, bytes: Buffer): number {
  let crc = ~before;
  for (let at = 0; at < bytes.length; at++) crc = CRC[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}
