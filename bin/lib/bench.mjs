import { spawn } from 'node:child_process';
import { findBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { at } from './project.mjs';
import { programOf } from './settings.mjs';

/** `npm run bench`: runs the measurements on the production build. */
export async function bench(args) {
  await ensureInstalled();
  await ensureBuilt();
  const named = args.filter((arg) => arg.startsWith('--only=') || !arg.startsWith('--')).join(',');
  if (named === '' || named.includes('pantalla')) await findBrowser();
  const child = spawn(process.execPath, [...programOf('bench'), ...args], {
    cwd: at(),
    stdio: 'inherit',
    env: { ...process.env, TZ: 'UTC' },
  });
  for (const signal of ['SIGTERM', 'SIGINT']) process.removeAllListeners(signal).on(signal, () => child.kill(signal));
  process.exit(await new Promise((done) => child.once('exit', (code) => done(code ?? 1))));
}
