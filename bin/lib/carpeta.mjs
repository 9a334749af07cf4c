import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Complaint } from './project.mjs';

/** Makes a folder and those above it. `recursive` of Node 20 turns for ever where a file system lets nobody make one. */
export function makeFolder(folder, mode = 0o777) {
  const whole = resolve(folder);
  if (isFolder(whole)) return;
  makeFolder(dirname(whole), mode);
  try {
    mkdirSync(whole, { mode });
  } catch (error) {
    // Another process that begins makes it too.
    if (error.code !== 'EEXIST' || !isFolder(whole)) throw error;
  }
}

const isFolder = (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Makes the folder that a setting names. Throws a Complaint with the setting's name where nothing can be made or written there. */
export function makeFolderOf(setting, folder) {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Complaint(`${setting}: ${resolve(folder)} ${WHY.get(error.code) ?? `no sirve (${error.message})`}.`);
  }
}

const WHY = new Map([
  ['ENOENT', 'no se puede crear'],
  ['ENOTDIR', 'no es una carpeta'],
  ['EEXIST', 'no es una carpeta'],
  ['EACCES', 'no deja escribir a esta cuenta'],
  ['EPERM', 'no deja escribir a esta cuenta'],
  ['EROFS', 'está en un disco que solo se lee'],
  ['ENOSPC', 'está en un disco lleno'],
]);
