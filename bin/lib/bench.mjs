import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { at, Complaint } from './project.mjs';

/** `npm run bench`: the measurements, on the production build. */
export async function bench(args) {
  await ensureInstalled();
  await ensureBuilt();
  if (!existsSync(at('build/node/bench.js'))) throw new Complaint('No hay mediciones que correr (tests/bench/run.ts).');
  const child = spawn(process.execPath, ['--enable-source-maps', 'build/node/bench.js', ...args], { cwd: at(), stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
  process.exit(await new Promise((done) => child.once('exit', (code) => done(code ?? 1))));
}
