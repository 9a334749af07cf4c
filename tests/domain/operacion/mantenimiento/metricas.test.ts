import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { emptyBucket, takeCall } from '~/platform/connections/bucket.server';
import { readMetricas } from '~/domain/operacion/mantenimiento/metricas.server';
import { saveMuestra } from '~/domain/operacion/mantenimiento/muestras.server';
import { enqueue } from '~db/queue/catalog.server';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();

beforeEach(async () => {
  await db.deleteFrom('muestra').execute();
  await db.deleteFrom('connection').execute();
  await sql`delete from graphile_worker._private_jobs`.execute(db);
});

/** The values of a measure by their one label. */
async function medida(nombre: string): Promise<Record<string, number>> {
  const hecho = (await readMetricas(db)).find((one) => one.nombre === nombre);
  return Object.fromEntries(
    (hecho?.valores ?? []).map(({ etiquetas, valor }) => [Object.values(etiquetas)[0]!, valor]),
  );
}
const worker = (proceso: string, carriles: Record<string, string[]>) =>
  saveMuestra(db, proceso, {
    ...{ tipo: 'worker', construccion: 'a', memoriaMb: null, atrasoP99Ms: null, atrasoMaxMs: null },
    carriles,
  });

test('depth and age of the queue are told by lane: one without work is 0, and what no worker takes has a lane too', async () => {
  expect(await medida('lane_jobs_due')).toEqual({});
  // Two workers have the same lanes, and each job counts once.
  for (const proceso of ['worker uno:1', 'worker dos:2'])
    await worker(proceso, { ventas: ['inbox.sweep', 'inbox.drain'], excel: ['export.run'] });
  await enqueue(db, 'inbox.sweep', {});
  await enqueue(db, 'inbox.drain', {});
  await enqueue(db, 'libro.cuadrar', {});
  await enqueue(db, 'export.run', { exportId: 'a' }, { waitMs: 60_000 });
  await sql`update graphile_worker._private_jobs set run_at = now() - interval '90 s' where key = 'inbox.sweep:sweep'`.execute(
    db,
  );
  expect(await medida('lane_jobs_due')).toEqual({ ventas: 2, excel: 0, ninguno: 1 });
  const edades = await medida('lane_oldest_due_seconds');
  expect(edades).toMatchObject({ excel: 0 });
  expect(edades.ventas).toBeGreaterThanOrEqual(90);
  expect(edades.ninguno).toBeLessThan(60);
});

test('what each far side may still be called is told as a part of its burst', async () => {
  expect(await medida('far_side_budget_left')).toEqual({});
  const { budget, label } = CONNECTIONS.of('facturacom');
  await takeCall(db, { kind: 'facturacom', budget, label }, 'persona');
  await emptyBucket(db, 'mercadolibre', 60_000);
  const left = await medida('far_side_budget_left');
  expect(left).toMatchObject({ mercadolibre: 0 });
  expect(left.facturacom).toBeGreaterThanOrEqual((budget.burst - 1) / budget.burst);
  expect(left.facturacom).toBeLessThanOrEqual(1);
});
