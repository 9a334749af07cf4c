import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { delimiter, dirname, resolve } from 'node:path';

/** Settings that name folders, and what a process does there. */
const USES = {
  /** Files of this process's own, in a folder that it makes. */
  CAPTURAS: 'hace y escribe',
  /** Free space is asked; nothing is written. */
  DISCOS: 'mira',
  /** The launcher makes the folder, or it is another disk: a worker that made it would hide that the disk is not there. */
  RESPALDOS: 'escribe',
} as const;
export type Carpeta = keyof typeof USES;

/** Returns the folders that a worker uses with these settings. */
export const foldersOfWorker = (given: Readonly<Record<string, string | undefined>>): Carpeta[] =>
  // Without a bucket, RESPALDOS is PostgreSQL's and the launcher's.
  given.RESPALDOS_S3 ? ['CAPTURAS', 'DISCOS', 'RESPALDOS'] : ['CAPTURAS', 'DISCOS'];

/** Returns what is wrong in Spanish with the folders that these settings name. A setting that is empty names none. */
export function folderFaults(
  given: Readonly<Record<string, string | undefined>>,
  used: readonly Carpeta[],
): { ajuste: Carpeta; dice: string }[] {
  return used.flatMap((ajuste) => {
    const named = given[ajuste] ?? '';
    const folders = (ajuste === 'DISCOS' ? named.split(delimiter) : [named]).filter(Boolean);
    return folders.flatMap((folder) => {
      const why = faultOf(folder, USES[ajuste]);
      return why === null ? [] : [{ ajuste, dice: `${resolve(folder)} ${why}` }];
    });
  });
}

/** Returns what is wrong in Spanish with a folder that a command is to make and write in; null when all is well. */
export const folderFault = (folder: string): string | null => faultOf(folder, 'hace y escribe');

function faultOf(folder: string, use: (typeof USES)[Carpeta]): string | null {
  try {
    if (use === 'hace y escribe') makeFolder(folder, 0o700);
    if (!statSync(folder).isDirectory()) return 'no es una carpeta';
    if (use !== 'mira') accessSync(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return WHY.get(code) ?? `no sirve (${(error as Error).message})`;
  }
}

/**
 * Makes a folder and those above it, all of this mode. `recursive` of Node 20 turns for ever where a file system lets nobody make one, so no folder of a
 * setting is made by it.
 */
export function makeFolder(folder: string, mode = 0o777) {
  const whole = resolve(folder);
  if (isFolder(whole)) return;
  makeFolder(dirname(whole), mode);
  try {
    mkdirSync(whole, { mode });
  } catch (error) {
    // Another process that begins makes it too.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(whole)) throw error;
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const WHY = new Map([
  ['ENOENT', 'no existe'],
  ['ENOTDIR', 'no es una carpeta'],
  ['EEXIST', 'no es una carpeta'],
  ['EACCES', 'no deja escribir a esta cuenta'],
  ['EPERM', 'no deja escribir a esta cuenta'],
  ['EROFS', 'está en un disco que solo se lee'],
]);
