/** One trace over two processes: a notice that the web receives, and the job and the call that the worker makes of it. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { placeOf } from '~/core/traza.server';
import { openColector } from '../support/colector';
import { testDatabase } from '../support/db';
import { linkSandbox, type SaleFacts } from '../support/mercadolibre';
import { stopWorkersAtTheEnd, WorkerProcess } from '../support/processes/worker';
import { startTestSandbox } from '../support/sandbox';
import { Web } from '../support/web';

const sandbox = await startTestSandbox();
stopWorkersAtTheEnd();
const { db } = testDatabase();

test('a notice is one trace, from the door of the web to the calls of the worker', { timeout: 120_000 }, async () => {
  const { url, tramos } = await openColector();
  await linkSandbox(db, sandbox);
  await sql`delete from graphile_worker._private_jobs`.execute(db);
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '100' };
  const [web, worker] = await Promise.all([
    Web.start({ ...env, PRIMERA_DICHA: '1' }),
    WorkerProcess.start({ ...env, WORKER_CONCURRENCY: '3' }),
  ]);
  const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true });
  const answer = await web.fetch('/avisos/mercadolibre/secreto-de-prueba', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      _id: 'aviso-1',
      topic: 'orders_v2',
      resource: `/orders/${sale.ordenes[0]}`,
      user_id: 468123907,
      application_id: 5503910054140000,
    }),
  });
  const { traceId, spanId } = placeOf(answer.headers.get('X-Request-Id')!);
  const mine = () => tramos.filter((one) => one.traceId === traceId);
  const calls = () => mine().filter(({ name }) => name === 'llamada mercadolibre GET');
  await expect.poll(() => calls().length, { timeout: 40_000 }).toBeGreaterThan(0);
  // A span is told when it ends: the job after its calls.
  const jobs = () => mine().filter(({ name }) => name.startsWith('trabajo inbox.'));
  await expect.poll(() => jobs().length, { timeout: 40_000 }).toBeGreaterThan(0);
  const told = mine().map(({ servicio, name, parentSpanId }) => [servicio, name, parentSpanId ?? '']);
  expect(told).toContainEqual(['trastienda-web', 'POST /avisos/mercadolibre/:secreto', '']);
  const job = jobs()[0]!;
  expect([job.servicio, job.parentSpanId, job.datos['trastienda.carril']]).toEqual([
    'trastienda-worker',
    spanId,
    'ventas',
  ]);
  expect(JSON.stringify(tramos)).not.toContain(sale.ordenes[0]);
  expect(await worker.kill()).toEqual({ code: 0, signal: null });
  expect(await web.stop()).toBe(0);
});
