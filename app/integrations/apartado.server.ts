import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unavailable } from './errors';

export type Tope = { bytes: number; ms: number };
/** No list of a wholesaler is that large, and one that takes that long says nothing any more of its first rows. */
const TOPE: Tope = { bytes: 1024 ** 3, ms: 30 * 60_000 };
/** What is read of the file at once. */
const PARTE = 256 * 1024;

/**
 * What comes is taken at the pace of whoever sends it and waits in a file for whoever reads it: a server that is kept waiting hangs up. All that came is told, and
 * then what went wrong. The file has no name while it has something in it, so that nothing of it stays, however this process ends.
 */
export async function* apartado(
  chunks: AsyncIterable<Uint8Array>,
  label: string,
  tope: Tope = TOPE,
): AsyncGenerator<Uint8Array> {
  const file = await sinNombre();
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

async function sinNombre(): Promise<FileHandle> {
  const name = join(tmpdir(), `trastienda-lista-${randomUUID()}`);
  const file = await open(name, 'ax+', 0o600);
  await unlink(name);
  return file;
}
