/** `npm run build`: builds the halves whose sources changed; with --force, both. */
import { ensureBuilt } from './lib/build.mjs';
import { Complaint, seconds } from './lib/project.mjs';

const began = Date.now();
try {
  const built = await ensureBuilt({ force: process.argv.includes('--force') });
  console.log(
    built.length > 0 ? `Construido (${built.join(', ')}) en ${seconds(Date.now() - began)}.` : 'Nada cambió.',
  );
} catch (error) {
  if (!(error instanceof Complaint)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
