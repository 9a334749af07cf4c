/** From the press of 'Confirmar pedido' to the order at its supplier, through the worker's own process, with a supplier that answers at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { confirmWithGuardias, reviewPedido } from '~/domain/compras/pedidos/placePedido.server';
import type { Db } from '~db/client.server';
import { buildVentaDe, openProveedores, pedir } from '../support/builders/pedidos';
import type { SandboxClient } from '../support/sandboxClient';
import { spread, type Figure } from './figures';
import type { Person } from './place';

type Bench = { db: Db; person: Person; sandbox: SandboxClient };

/** It takes an order in one call, label and all. */
const KIND = 'syscom';
const PACIENCIA_MS = 20_000;
/** Of the process, of its statements and of the supplier's token. */
const WARM_UP = 8;

/** One after the other: the next is pressed when nothing is left of the one before. */
export async function benchPedidos({ db, person, sandbox }: Bench, rounds: number): Promise<Figure[]> {
  await openProveedores(db, sandbox, [KIND]);
  await sandbox.proveedor(KIND).post('/limite', { porMinuto: 0 });
  const own: number[] = [];
  const whole: number[] = [];
  const queued: number[] = [];
  for (let round = 0; round < rounds + WARM_UP; round++) {
    const venta = await buildVentaDe(db, sandbox, KIND, { n: round });
    await db.updateTable('orden').set({ pagadoAbs: '100000.00' }).where('id', '=', venta.id).execute();
    await db.updateTable('oferta').set({ tipoCambio: '18.00' }).where('productoId', '=', venta.producto.id).execute();
    const id = await pedir(db, venta, KIND, person.id);
    const { version } = (await reviewPedido(db, id, 'sa'))!;
    // As if its minute had passed: nobody buys a hundred times in one.
    await db.deleteFrom('connection').where('kind', '=', KIND).execute();
    const pressed = new Date();
    await confirmWithGuardias(db, { pedido: id, version, costo: null, motivo: null }, { id: person.id, rol: 'sa' });
    const { taken, done } = await enviado(db, id);
    if (round < WARM_UP) continue;
    const seen = await sandbox.requests(KIND, 50);
    const calls = seen.filter(({ at }) => at >= pressed.toISOString() && at < done.toISOString());
    const suyo = calls.reduce((sum, { ms }) => sum + ms, 0);
    whole.push(done.getTime() - pressed.getTime());
    own.push(done.getTime() - pressed.getTime() - suyo);
    queued.push(taken.getTime() - pressed.getTime());
  }
  return [
    {
      name: 'pedido: from press to sent, own time',
      ...spread(own),
      unit: 'ms',
      aim: 60,
      note: `until taken ${spread(queued).value} ms`,
    },
    { name: 'pedido: from press to sent, whole', ...spread(whole), unit: 'ms' },
  ];
}

/** When the order was taken up and when its answer was kept, by PostgreSQL's own clock; then until nothing of it is under way. */
async function enviado(db: Db, pedidoId: string): Promise<{ taken: Date; done: Date }> {
  for (const end = Date.now() + PACIENCIA_MS; ; await sleep(5)) {
    const { rows } = await sql<{ type: string; state: string; taken: Date | null; done: Date }>`
      select e.type, e.state, (select min(a.at) from effect_attempt a where a.effect_id = e.id) as taken, pg_xact_commit_timestamp(e.xmin) as done
      from effect e join effect_subject s on s.effect_id = e.id where s.entidad = 'pedido' and s.entidad_id = ${pedidoId}`.execute(
      db,
    );
    const crear = rows.find(({ type }) => type === `pedido.crear.${KIND}`);
    if (crear?.state === 'done' && crear.taken && rows.every(({ state }) => state === 'done'))
      return { taken: crear.taken, done: crear.done };
    const wrong = rows.find(({ state }) => ['refused', 'manual', 'cancelled'].includes(state));
    if (wrong) throw new Error(`${wrong.type} is ${wrong.state}`);
    if (Date.now() > end) throw new Error(`not sent: ${JSON.stringify(rows)}`);
  }
}
