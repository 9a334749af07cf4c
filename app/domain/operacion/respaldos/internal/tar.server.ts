import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createGunzip, createGzip } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';

const ENVIRONMENT = { NODE_ENV: process.env.NODE_ENV, PATH: process.env.PATH, LC_ALL: 'C' };

/** Resolves when the program ended well; throws its words otherwise. */
async function ended(child: ChildProcess): Promise<void> {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2_000)));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0) throw new Error(`tar: ${said.trim() || `terminó con ${code ?? signal}`}`);
}

/**
 * Packs files of a folder, compressed, in pieces of `size` bytes, the last one shorter. Throws at the end when the
 * folder could not be read whole. Memory holds one piece.
 */
export async function* pack(folder: string, names: readonly string[], size: number): AsyncGenerator<Buffer> {
  const tar = spawn('tar', ['-cf', '-', '-C', folder, ...names], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: ENVIRONMENT,
  });
  const end = ended(tar);
  end.catch(() => {});
  const gzip = createGzip({ level: 1 });
  const flow = pipeline(tar.stdout, gzip);
  flow.catch(() => {});
  try {
    let waiting: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of gzip as AsyncIterable<Buffer>) {
      let rest = chunk;
      while (bytes + rest.length >= size) {
        yield Buffer.concat([...waiting, rest.subarray(0, size - bytes)]);
        rest = rest.subarray(size - bytes);
        [waiting, bytes] = [[], 0];
      }
      waiting.push(rest);
      bytes += rest.length;
    }
    await flow;
    await end;
    if (bytes > 0) yield Buffer.concat(waiting);
  } finally {
    tar.kill();
    gzip.destroy();
  }
}

/** Unpacks what `pack` gave into a folder that is there. */
export async function unpack(pieces: AsyncIterable<Buffer>, folder: string): Promise<void> {
  const tar = spawn('tar', ['-xf', '-', '--no-same-owner', '-p', '-C', folder], {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: ENVIRONMENT,
  });
  const end = ended(tar);
  // The words of tar outrank the broken pipe that they leave behind.
  const flow = pipeline(Readable.from(pieces), createGunzip(), tar.stdin);
  const [packed, unpacked] = await Promise.allSettled([flow, end]);
  const broken = packed.status === 'rejected' ? (packed.reason as NodeJS.ErrnoException) : undefined;
  if (broken && broken.code !== 'EPIPE') throw broken;
  if (unpacked.status === 'rejected') throw unpacked.reason;
  if (broken) throw broken;
}
