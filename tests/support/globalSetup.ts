import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '~db/embedded';
import { migrateDatabase } from '~db/migrate';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the cluster's `postgres` database. */
    clusterUrl: string;
    template: string;
  }
}

/** A worker under load may hold seventy, and four files at once may have two or three of them each. */
const CONNECTIONS = '600';

/** One cluster for the whole run, with one migrated database that every test file gets a clone of. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'trastienda-tests-'));
  chmodSync(folder, 0o755);
  const cluster = await startEmbedded({ folder, durable: false, settings: { max_connections: CONNECTIONS } });
  await migrateDatabase(await cluster.ensureDatabase('plantilla'));
  project.provide('clusterUrl', cluster.urlOf('postgres'));
  project.provide('template', 'plantilla');
  return async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
