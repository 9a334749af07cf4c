import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { folderOf } from './construido.mjs';
import { ensureInstalled } from './install.mjs';
import { at, Complaint } from './project.mjs';

/**
 * `npm run api:cliente`: writes build/apiCliente.ts and build/openapi.json. The description needs no database, so the required settings get
 * values without use.
 */
export async function writeClient() {
  await ensureInstalled();
  await ensureBuilt({ halves: ['node'] });
  const env = { DATABASE_URL: 'postgres://nadie.invalid/nada', LLAVES: 'no se usa', ...process.env };
  const files = [join(folderOf('node'), 'apiCliente.js'), at('build/apiCliente.ts'), at('build/openapi.json')];
  const { status } = spawnSync(process.execPath, files, { stdio: 'inherit', env });
  if (status !== 0) throw new Complaint('No se pudo escribir el cliente.');
}
