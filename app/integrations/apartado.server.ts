import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unavailable } from './errors';

/** Limits of a download: bytes in all, and ms in all. */
export type Tope = { bytes: number; ms: number };
/**
 * Limits of a wholesaler's list. No list is so large, and the first rows of a slower list are out of date at its end.
 */
const TOPE: Tope = { bytes: 1024 ** 3, ms: 30 * 60_000 };
/** Bytes per read of the file. */
const PARTE = 256 * 1024;

/**
 * Yields the chunks of a download through a file, so a slow reader does not stall the sender: a server that has to wait
 * hangs up. All received bytes are yielded before the error of the download is thrown. Throws `Unavailable` above the
 * limits. The file has no name once opened, so no trace stays, however this process ends.
 */
export async function* apartado(
  chunks: AsyncIterable<Uint8Array>,
  label: string,
  tope: Tope = TOPE,
): AsyncGenerator<Uint8Array> {
  const file = await openNameless();
  let [came, left] = [0, false];
  let end = null as { error?: unknown } | null;
  let notice = () => {};
  const since = performance.now();
  const take = async () => {
    for await (const chunk of chunks) {
      if (left) return;
      if (came + chunk.length > tope.bytes) throw new Unavailable(`La lista de ${label} no termina`);
      if (performance.now() - since > tope.ms) throw new Unavailable(`La lista de ${label} tarda demasiado en llegar`);
      await file.appendFile(chunk);
      came += chunk.length;
      notice();
    }
  };
  const taking = take()
    .then(
      () => (end = {}),
      (error: unknown) => (end = { error }),
    )
    .finally(() => notice());
  try {
    let read = 0;
    for (;;) {
      if (read < came) {
        const part = Buffer.allocUnsafe(Math.min(PARTE, came - read));
        const { bytesRead } = await file.read(part, 0, part.length, read);
        read += bytesRead;
        yield part.subarray(0, bytesRead);
      } else if (end) {
        if ('error' in end) throw end.error;
        return;
      } else await new Promise<void>((resolve) => (notice = resolve));
    }
  } finally {
    left = true;
    await taking;
    await file.close();
  }
}

async function openNameless(): Promise<FileHandle> {
  const name = join(tmpdir(), `trastienda-lista-${randomUUID()}`);
  const file = await open(name, 'ax+', 0o600);
  await unlink(name);
  return file;
}
