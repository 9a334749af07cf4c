import { spawnSync } from 'node:child_process';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { at, Complaint } from './project.mjs';

/**
 * `npm run api:cliente`: writes build/apiCliente.ts. The description needs no database, so the required settings get
 * values without use.
 */
export async function writeClient() {
  await ensureInstalled();
  await ensureBuilt({ halves: ['node'] });
  const env = { DATABASE_URL: 'postgres://nadie.invalid/nada', LLAVES: 'no se usa', ...process.env };
  const { status } = spawnSync(process.execPath, [at('build/node/apiCliente.js'), at('build/apiCliente.ts')], {
    stdio: 'inherit',
    env,
  });
  if (status !== 0) throw new Complaint('No se pudo escribir el cliente.');
}
