import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the project, wherever the command was called from. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Returns a path inside the project. */
export const at = (...parts) => join(ROOT, ...parts);

/** A fault that people can mend: only its message is shown. */
export class Complaint extends Error {}

/**
 * Returns the path of a file, or of every file under a folder, relative to the project; empty when the path is missing.
 */
export function filesUnder(path) {
  const whole = at(path);
  if (!existsSync(whole)) return [];
  if (statSync(whole).isFile()) return [path];
  return readdirSync(whole, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(`${path}/${entry.name}`) : [`${path}/${entry.name}`]));
}

/** Returns a SHA-256 over names and contents of files. */
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

/** Reads a JSON file; undefined when the file is missing or broken. */
export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Returns ms as seconds for people: '1.5 s'. */
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
