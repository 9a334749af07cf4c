/** Orders at Syscom whose answers were lost together are looked for together: its invoices are read once for all of them. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { confirmPedido } from '~/domain/compras/pedidos/pedidos.server';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { runEffect } from '~/platform/effects/runEffect.server';
import { doBeside } from '../../../support/beside';
import { buildQuien } from '../../../support/builders/ordenes';
import { buildVentaDe, openProveedores, pedir, readPedido } from '../../../support/builders/pedidos';
import { testDatabase } from '../../../support/db';
import { runUntilSettled } from '../../../support/jobs';
import { setPace } from '../../../support/pac';
import { startTestSandbox } from '../../../support/sandbox';

/** A reading serves for six seconds. */
setPace(0.1);
const sandbox = await startTestSandbox();
const { db } = testDatabase();
const far = sandbox.proveedor('syscom');
const MIRADAS = 20;

/** Calls of the reading of invoices, the list apart from the goods of each. */
async function deFacturas() {
  const paths = (await sandbox.requests('syscom', 1_000)).map(({ path }) => path);
  const lineas = paths.filter((path) => /\/facturas\/./.test(path)).length;
  return { listas: paths.filter((path) => path.includes('/facturas')).length - lineas, lineas };
}

let endFilling: () => Promise<void>;
beforeAll(async () => {
  await openProveedores(db, sandbox, ['syscom']);
  // The calls of its minute would take the test a minute, there and here, and twenty answers lost in a row are an outage.
  await far.post('/limite', { porMinuto: 0 });
  endFilling = doBeside(50, async () => {
    await sql`update connection set tokens = 10, refilled_at = now()`.execute(db);
    await sql`delete from connection_breaker`.execute(db);
  });
});
afterAll(() => endFilling());
afterEach(() => vi.restoreAllMocks());

/** A clock that a busy machine hardly moves; it goes on by what it is told. */
function holdClock(ahead = 0) {
  const now = performance.now.bind(performance);
  const from = now();
  const clock = { ahead };
  vi.spyOn(performance, 'now').mockImplementation(() => from + (now() - from) / 100 + clock.ahead);
  return clock;
}

/** Orders that were made there, without a word to us; their effects, which wait for people. */
async function perderRespuestas(n: number): Promise<string[]> {
  const { id: usuarioId } = await buildQuien(db);
  const ids: string[] = [];
  for (let at = 0; at < n; at++) {
    const id = await pedir(db, await buildVentaDe(db, sandbox, 'syscom', { n: at }), 'syscom', usuarioId);
    await far.failNext('reset-after-doing');
    const { version } = await readPedido(db, id);
    await db.transaction().execute((trx) => confirmPedido(trx, { id, version }, usuarioId));
    ids.push(id);
  }
  await runUntilSettled();
  const effects = await db
    .selectFrom('effect')
    .innerJoin('effectSubject as s', 's.effectId', 'effect.id')
    .where('effect.type', '=', 'pedido.crear.syscom')
    .where('effect.state', '=', 'manual')
    .where('s.entidad', '=', 'pedido')
    .where('s.entidadId', 'in', ids)
    .select('effect.id')
    .execute();
  return effects.map(({ id }) => id);
}

/** The looks of all are due at once; what they asked for. */
async function mirar(ids: string[]) {
  await sql`update effect set look_again_at = now() where id = any(${ids})`.execute(db);
  const antes = await deFacturas();
  await Promise.all(ids.map((id) => runEffect(effectRuntime(db), id)));
  const despues = await deFacturas();
  return { listas: despues.listas - antes.listas, lineas: despues.lineas - antes.lineas };
}

test('twenty looks that are due at once read the list once, and the goods of each invoice once for good', async () => {
  const ids = await perderRespuestas(MIRADAS);
  expect(ids).toHaveLength(MIRADAS);
  await far.post('/reloj', { segundos: 600 });
  const clock = holdClock();
  expect(await mirar(ids)).toEqual({ listas: 1, lineas: MIRADAS });
  const dichas = await db.selectFrom('effect').select('detail').where('id', 'in', ids).execute();
  const suya = /^Del otro lado hay 576-\S+ \(factura FA26\/\d+\), que no es de ningún otro/;
  expect(dichas.map(({ detail }) => suya.test(detail ?? ''))).toEqual(ids.map(() => true));
  expect(new Set(dichas.map(({ detail }) => detail)).size, 'each by its own pieces').toBe(MIRADAS);

  expect(await mirar(ids), 'within the minute').toEqual({ listas: 0, lineas: 0 });
  clock.ahead += 6_000;
  expect(await mirar(ids), 'a minute later').toEqual({ listas: 1, lineas: 0 });
});

test('a reading that breaks off is gone on with by the next look, and nothing of it is asked for again', async () => {
  const ids = await perderRespuestas(3);
  await far.post('/reloj', { segundos: 600 });
  holdClock(60_000);
  await far.failNext('503', { route: '/facturas/' });
  expect(await mirar(ids.slice(0, 1))).toEqual({ listas: 1, lineas: 1 });
  expect(await mirar(ids)).toEqual({ listas: 1, lineas: 3 });
});
