import { statfs } from 'node:fs/promises';
import { delimiter } from 'node:path';
import { env } from '~/core/env.server';

/** Returns the least free of the disks that we write on: of the database, its logs and the backups. Null where the disks cannot be asked. */
export async function readEspacio(): Promise<{ libreMb: number | null }> {
  const folders = env().DISCOS ? env().DISCOS.split(delimiter) : [process.cwd()];
  const free = await Promise.all(
    folders.map(async (folder) => {
      try {
        const { bavail, bsize } = await statfs(folder);
        return (bavail * bsize) / 1_048_576;
      } catch {
        return null;
      }
    }),
  );
  const known = free.filter((mb) => mb !== null);
  return { libreMb: known.length === 0 ? null : Math.floor(Math.min(...known)) };
}
