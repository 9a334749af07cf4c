import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { at } from './project.mjs';

/** `npm run db:types`: db/types.ts from a database of its own with every migration in it. */
export async function generateTypes() {
  await ensureInstalled();
  await ensureBuilt({ halves: ['node'] });
  const { startEmbedded, migrateDatabase } = await import(pathToFileURL(at('build/node/database.js')).href);
  const folder = mkdtempSync(join(tmpdir(), 'trastienda-tipos-'));
  chmodSync(folder, 0o755);
  const cluster = await startEmbedded({ folder, durable: false });
  try {
    const url = await cluster.ensureDatabase('tipos');
    await migrateDatabase(url);
    const { status } = spawnSync(
      process.execPath,
      [at('node_modules/kysely-codegen/dist/cli/bin.js'), '--config-file', 'db/codegen.json', '--url', url],
      {
        cwd: at(),
        stdio: 'inherit',
      },
    );
    process.exitCode = status ?? 1;
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
