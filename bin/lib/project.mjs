import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder, wherever we were called from. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export const at = (...parts) => join(ROOT, ...parts);

/** A fault people can mend: its message is all they see. */
export class Complaint extends Error {}

/** Paths relative to the project of a file, or of every file under a folder; nothing for what is not there. */
export function filesUnder(path) {
  const whole = at(path);
  if (!existsSync(whole)) return [];
  if (statSync(whole).isFile()) return [path];
  return readdirSync(whole, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(`${path}/${entry.name}`) : [`${path}/${entry.name}`]));
}

/** One hash of names and contents. */
export function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths)
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(at(path)))
      .update('\0');
  return hash.digest('hex');
}

export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
