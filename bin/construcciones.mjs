/**
 * `node bin/construcciones.mjs`, in a container: lays the builds that the image brought along beside those of the versions
 * before, on the volume that all webs share, and makes them the current ones.
 */
import { takeBuilds } from './lib/construido.mjs';
import { at, Complaint } from './lib/project.mjs';

try {
  console.log(`Al día: ${(await takeBuilds(at('construcciones'))).join(', ')}.`);
} catch (error) {
  if (!(error instanceof Complaint)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
