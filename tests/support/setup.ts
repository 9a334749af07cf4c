import { afterAll, afterEach, beforeEach } from 'vitest';
import { SANDBOX_APPLICATION } from '../../bin/lib/settings.mjs';
import { settleConsole, watchConsole } from './console';
import { cloneDatabase, closeTestDatabases, dropDatabase } from './db';

// Before the test file, and so before any module of ours, is imported: settings are read once.
const url = await cloneDatabase();
Object.assign(process.env, {
  DATABASE_URL: url,
  DB_POOL: '6',
  APP_URL: 'http://trastienda.test',
  LLAVES: `prueba:${Buffer.alloc(32, 7).toString('base64')}`,
  WEBHOOK_SECRETO: 'secreto-de-prueba',
  ...SANDBOX_APPLICATION,
});

// As each process does before anything else.
const { handInFarSides } = await import('~/domain/operacion/farSides.server');
handInFarSides();

beforeEach(watchConsole);
afterEach(settleConsole);

// Runs after the file's own afterAll.
afterAll(async () => {
  await closeTestDatabases();
  const { closeDatabase } = await import('~db/shared.server');
  await closeDatabase();
  await dropDatabase(url);
});
