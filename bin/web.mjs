/**
 * The web process. `node bin/web.mjs` serves the current build, or the named one, and stays with it; with
 * NODE_ENV=development Vite serves the sources and reloads changes.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { currentBuilds, folderOf, holdBuild } from './lib/construido.mjs';

process.env.NODE_ENV ??= 'production';

const say = (level, message, fields) =>
  process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), level, message, ...fields })}\n`);

async function start() {
  if (process.env.NODE_ENV !== 'development') {
    const folder = holdBuild('web', process.argv[2]);
    const build = await import(pathToFileURL(join(folder, 'server/index.js')).href);
    return build.entry.module.serve(build);
  }
  const { createServer } = await import('vite');
  const vite = await createServer({ server: { middlewareMode: true }, appType: 'custom' });
  const load = () => vite.ssrLoadModule('virtual:remix/server-build');
  const build = await load();
  const running = await build.entry.module.serve(build, { dev: { middlewares: vite.middlewares, load } });
  return { ...running, close: () => running.close().then(() => vite.close()) };
}

/** Writes the code by which the first person is made, while nobody can sign in. */
function sayFirst() {
  if (process.env.PRIMERA_DICHA || process.env.NODE_ENV === 'development') return;
  // Without it the page is still served, and people are made by `npm run usuario`.
  if (!currentBuilds().node) return;
  const tool = join(folderOf('node'), 'usuario.js');
  if (existsSync(tool)) spawn(process.execPath, [tool, '--primera'], { stdio: ['ignore', 'inherit', 'inherit'] });
}

const running = await start().catch((error) => {
  // 78 is EX_CONFIG: whoever starts the process again need not, until somebody changes a setting.
  if (error.name === 'InvalidSettings') {
    say('error', 'configuración inválida', { ajustes: error.faults });
    process.exit(78);
  }
  say('error', 'la web no pudo arrancar', { error: error.stack });
  process.exit(1);
});

sayFirst();

function stop(code, waitMs = 0) {
  // A second signal, or a shutdown that hangs, ends the process at once.
  setTimeout(() => process.exit(1), waitMs + 15_000).unref();
  running.close(waitMs).then(
    () => process.exit(code),
    () => process.exit(1),
  );
}

for (const signal of ['SIGTERM', 'SIGINT']) {
  let asked = false;
  process.on(signal, () => {
    if (asked) process.exit(1);
    asked = true;
    stop(0, running.waitMs);
  });
}
process.on('unhandledRejection', (error) =>
  say('error', 'promesa sin dueño', { error: error instanceof Error ? error.stack : String(error) }),
);
process.on('uncaughtException', (error) => {
  say('error', 'excepción sin dueño', { error: error.stack });
  stop(1);
});
