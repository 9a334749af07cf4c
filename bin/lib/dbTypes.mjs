import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { folderOf } from './construido.mjs';
import { ensureInstalled } from './install.mjs';
import { at } from './project.mjs';
import { schemaOf } from './schema.mjs';

/** `npm run db:types`: writes db/types.ts, db/schema.sql and db/ultima.ts from a fresh database with every migration. */
export async function generateTypes() {
  await ensureInstalled();
  await ensureBuilt({ halves: ['node'] });
  const { startEmbedded, migrateDatabase } = await import(pathToFileURL(join(folderOf('node'), 'database.js')).href);
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
    await writeSchema(url);
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeSchema(url) {
  // A command of bin/lib may start before npm ci has run, so pg is imported only here.
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    writeFileSync(at('db/schema.sql'), await schemaOf(async (statement) => (await client.query(statement)).rows));
    const { rows } = await client.query('select max(name) as ultima from kysely_migration');
    const file = at('db/ultima.ts');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/(?<==) '\w+'/, ` '${rows[0].ultima}'`));
  } finally {
    await client.end();
  }
}
