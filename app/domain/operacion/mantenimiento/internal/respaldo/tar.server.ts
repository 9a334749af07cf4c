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

/**
 * Unpacks what `pack` gave into a folder that is there. Reads the pieces to their end, also where tar has enough before:
 * what lies behind its end mark is opened and summed like the rest.
 */
export async function unpack(pieces: AsyncIterable<Buffer>, folder: string): Promise<void> {
  const tar = spawn('tar', ['-xf', '-', '--no-same-owner', '-p', '-C', folder], {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: ENVIRONMENT,
  });
  const end = ended(tar);
  end.catch(() => {});
  // What went wrong with tar is told by its exit.
  tar.stdin.on('error', () => {});
  try {
    await pipeline(Readable.from(pieces), createGunzip(), async (plain: AsyncIterable<Buffer>) => {
      for await (const chunk of plain) await new Promise<void>((done) => tar.stdin.write(chunk, () => done()));
    });
    tar.stdin.end();
    await end;
  } finally {
    tar.kill();
  }
}
