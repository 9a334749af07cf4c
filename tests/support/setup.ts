import { afterAll, afterEach, beforeEach, expect } from 'vitest';
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
  // Four seconds for a send to begin and eighteen for a lease, however short the waits of a file are: a busy machine meets neither.
  EFFECT_DEADLINE: '0.2',
  ...SANDBOX_APPLICATION,
});

const { forgetEnv } = await import('~/core/env.server');
forgetEnv();
// Each process does so before anything else.
const { handIn } = await import('~/domain/operacion/handIn.server');
handIn();

beforeEach(watchConsole);
afterEach(settleConsole);
// What `npm test` adds up and prints at its end.
afterEach(({ task }) => {
  (task.meta as { afirmaciones?: number }).afirmaciones = expect.getState().assertionCalls;
});

// Runs after the file's own afterAll.
afterAll(async () => {
  await closeTestDatabases();
  const { closeDatabase } = await import('~db/shared.server');
  await closeDatabase();
  await dropDatabase(url);
});
