import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { folderOf } from './construido.mjs';
import { ensureInstalled } from './install.mjs';
import { Complaint } from './project.mjs';
import { livingRun } from './runfile.mjs';
import { readSettings, secretsOf } from './settings.mjs';

/**
 * `npm run usuario -- ...`, `npm run sepomex -- ...`: runs a command over DATABASE_URL, or over the database of the
 * running `npm start`.
 */
export async function tool(name, args) {
  await ensureInstalled();
  await ensureBuilt({ halves: ['node'] });
  const { dataDir } = await readSettings();
  const databaseUrl = process.env.DATABASE_URL || livingRun(dataDir)?.databaseUrl;
  if (!databaseUrl) throw new Complaint('Indica DATABASE_URL, o deja corriendo npm start en otra terminal.');
  const env = process.env.DATABASE_URL
    ? process.env
    : { ...secretsOf(dataDir), ...process.env, DATABASE_URL: databaseUrl };
  await run(name, args, env);
}

/** `npm run negocios -- ...`: runs a command that finds its databases by itself. */
export async function program(name, args) {
  await ensureInstalled();
  await ensureBuilt({ halves: ['node'] });
  await run(name, args, process.env);
}

async function run(name, args, env) {
  const child = spawn(process.execPath, ['--enable-source-maps', join(folderOf('node'), `${name}.js`), ...args], {
    stdio: 'inherit',
    env,
  });
  process.exitCode = await new Promise((done) => child.once('exit', (code) => done(code ?? 1)));
}
