import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { log } from '~/core/log.server';
import { inPeticion, peticionActual, readPeticion } from '~/core/peticion.server';
import { parseKeyring } from '~/core/seal.server';
import { CONNECTIONS, type Clients } from '~/platform/connections/registry.server';
import { CallSlots } from '~/platform/connections/slots.server';
import { defineEffect, effectCatalog } from '~/platform/effects/definition';
import { acceptEffect } from '~/platform/effects/effects.server';
import { runEffect } from '~/platform/effects/runEffect.server';
import { enqueue } from '~db/queue/catalog.server';
import { taskList } from '~jobs/worker';
import { testDatabase } from '../../support/db';

const { db, pool } = testDatabase();
afterEach(() => {
  delete process.env.LOG_NIVEL;
  vi.restoreAllMocks();
});

/** The lines that some work writes. */
function linesOf(work: () => void): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(JSON.parse(String(text)) as Record<string, unknown>);
    return true;
  });
  work();
  vi.restoreAllMocks();
  return lines;
}

test('LOG_NIVEL names the least grave line that is written', () => {
  const levels = () =>
    linesOf(() => {
      log.debug('d');
      log.info('i');
      log.warn('w');
      log.error('e', new Error('x'));
    }).map(({ level }) => level);
  expect(levels()).toEqual(['info', 'warn', 'error']);
  process.env.LOG_NIVEL = 'debug';
  expect(levels()).toEqual(['debug', 'info', 'warn', 'error']);
  process.env.LOG_NIVEL = 'error';
  expect(levels()).toEqual(['error']);
});

test('an id is believed by its form alone', () => {
  expect(readPeticion('019a0000-0000-7000-8000-000000000000')).toBeDefined();
  for (const bad of ['corta', 'con espacio', 'a\nb12345678', 'x'.repeat(65), '', undefined, ['12345678']])
    expect(readPeticion(bad)).toBeUndefined();
});

const request = z.object({ thing: z.string() });
let sentBy: string | undefined;
const prueba = defineEffect({
  type: 'test.peticion',
  label: 'Prueba',
  connection: 'facturacom',
  request,
  evidence: request,
  key: ({ thing }) => thing,
  subjects: () => [],
  unclear: 'ask',
  sinMirada: 'Es una prueba.',
  send({ request: asked }) {
    sentBy = peticionActual();
    return Promise.resolve(asked);
  },
  confirm: (_call, evidence) => Promise.resolve(evidence),
  settle: () => Promise.resolve(),
});

test('an effect is sent in the name of the request that accepted it, whoever runs it and when', async () => {
  const { id } = await inPeticion('peticion-de-prueba', () =>
    db.transaction().execute((trx) => acceptEffect(trx, prueba, { request: { thing: 'una' } })),
  );
  const clients = () => Object.fromEntries(CONNECTIONS.all().map(({ as }) => [as, () => ({})])) as unknown as Clients;
  const keyring = parseKeyring(`k1:${randomBytes(32).toString('base64')}`);
  await runEffect({ db, catalog: effectCatalog([prueba]), keyring, slots: new CallSlots(), pace: 1, clients }, id);
  expect(sentBy).toBe('peticion-de-prueba');
});

test('a line says the request that it goes back to, also from the job that the request asked for', async () => {
  await sql`delete from graphile_worker._private_jobs`.execute(db);
  await inPeticion('peticion-de-prueba', () => enqueue(db, 'productos.contar', {}));
  const { rows } = await sql<{
    payload: { peticion: string };
  }>`select payload from graphile_worker._private_jobs`.execute(db);
  let seen: string | undefined;
  const tasks = taskList({ db, pool }, [
    { name: 'productos.contar', run: () => Promise.resolve(void (seen = peticionActual())) },
  ]);
  const helpers = { job: { id: '1', attempts: 1, max_attempts: 1 } } as never;
  await tasks['productos.contar']!(rows[0]!.payload, helpers);
  expect(seen).toBe('peticion-de-prueba');
  await tasks['productos.contar']!({}, helpers);
  expect(seen).toBeUndefined();
  const [line] = linesOf(() => inPeticion('peticion-de-prueba', () => log.info('i')));
  expect(line).toMatchObject({ requestId: 'peticion-de-prueba' });
});
