import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { SANDBOX_APPLICATION } from '../../bin/lib/settings.mjs';
import { settleConsole, watchConsole } from './console';
import { cloneDatabase, closeTestDatabases, dropDatabase } from './db';
import { endFile } from './endOfFile';
import { fileUnderTest } from './fresh';

/** Folders whose files ask neither the database nor the rooms. */
const ALONE = ['core', 'ui'];
const alone = ALONE.some((folder) => fileUnderTest().includes(`/tests/${folder}/`));

// Before the test file is imported: settings are read once.
const url = alone ? undefined : await cloneDatabase();
Object.assign(process.env, {
  ...(url && { DATABASE_URL: url }),
  DB_POOL: '6',
  APP_URL: 'http://trastienda.test',
  LLAVES: `prueba:${Buffer.alloc(32, 7).toString('base64')}`,
  WEBHOOK_SECRETO: 'secreto-de-prueba',
  // Four seconds for a send to begin and eighteen for a lease, however short the waits of a file are: a busy machine meets neither.
  EFFECT_DEADLINE: '0.2',
  ...SANDBOX_APPLICATION,
});

const { forgetEnv } = await import('~/core/env.server');
forgetEnv();
// What the file before left running may have read settings until this file had set its own.
beforeAll(forgetEnv);
// Each process does so before anything else.
if (!alone) (await import('~/domain/operacion/handIn.server')).handIn();

beforeEach(watchConsole);
afterEach(settleConsole);
// What `npm test` adds up and prints at its end.
afterEach(({ task }) => {
  (task.meta as { afirmaciones?: number }).afirmaciones = expect.getState().assertionCalls;
});

// Runs after the file's own afterAll.
afterAll(async () => {
  await endFile();
  if (url === undefined) return;
  await closeTestDatabases();
  const { closeDatabase } = await import('~db/shared.server');
  await closeDatabase();
  await dropDatabase(url);
});
