/**
 * Starts a process of the build: `node bin/proceso.mjs worker`, `node bin/proceso.mjs migrate --revisar`. The process
 * stays with the build that was current at its start; the launcher names its own, as in `node-0123456789ab/worker`.
 */
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { holdBuild } from './lib/construido.mjs';
import { Complaint } from './lib/project.mjs';

function fileOf(asked) {
  const build = dirname(asked);
  return join(holdBuild('node', build === '.' ? undefined : build), `${basename(asked)}.js`);
}

try {
  const file = fileOf(process.argv[2] ?? '');
  // The program reads its arguments as if it had been started itself.
  process.argv.splice(1, 2, file);
  await import(pathToFileURL(file).href);
} catch (error) {
  if (!(error instanceof Complaint)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
