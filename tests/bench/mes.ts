/** The close of a month by the worker: the global invoice of 5,000 sales, and 2,000 credit notes with a slow PAC while staff go on working. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { batchProgress } from '~/platform/batches/batches.server';
import { generateGlobal } from '~/domain/facturacion/mes/global.server';
import { issueNotas } from '~/domain/facturacion/notasCredito/notasCredito.server';
import type { Db } from '~db/client.server';
import { seedMes } from '../support/builders/mes';
import type { SandboxClient } from '../support/sandboxClient';
import { BIG_MONTH } from './data';
import { rounded, spread, type Figure } from './figures';
import { withVisitor } from './http';
import type { Person, Web } from './place';

type Bench = { db: Db; owner: Db; person: Person; sandbox: SandboxClient };

const PAC_MS = 300;
const AT_ONCE = 5;
const STAFF = 2;

/** Months of their own, before the year of data.ts. */
export async function benchGlobal(bench: Bench, count: number): Promise<Figure[]> {
  const { db } = bench;
  const { acceptMs, seconds, facturas } = await stampGlobalOf(bench, '2025-08', count);
  const { n } = await db
    .selectFrom('facturaOrden')
    .innerJoin('factura', 'factura.id', 'facturaOrden.facturaId')
    .innerJoin('orden', 'orden.id', 'facturaOrden.ordenId')
    .where('factura.tipo', '=', 'global')
    .where('orden.fechaCreacion', '<', new Date('2025-09-01T06:00:00Z'))
    .where('orden.fechaCreacion', '>=', new Date('2025-08-01T06:00:00Z'))
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return [
    {
      name: `global of ${count} sales: accepted`,
      value: Math.round(acceptMs),
      unit: 'ms',
      aim: rounded(count * 0.6, 0),
      note: 'sales locked, claims taken, requests frozen',
    },
    {
      name: `global of ${count} sales: accepted to stored`,
      value: rounded(seconds, 1),
      unit: 's',
      aim: rounded(count / 250, 1),
      note: `${facturas} CFDI`,
    },
    {
      name: `global of ${count} sales: sales in a stored CFDI`,
      value: Number(n),
      unit: 'rows',
      aim: count,
      exactly: true,
    },
  ];
}

/** Returned sales of one global, each with a note of its own. */
export async function benchNotas(bench: Bench, web: Web, count: number): Promise<Figure[]> {
  const { db, person, sandbox } = bench;
  const mes = '2025-07';
  await stampGlobalOf(bench, mes, count);
  await sql`update orden set clase = 'devuelta' where fecha_creacion >= '2025-07-01T06:00:00Z' and fecha_creacion < '2025-08-01T06:00:00Z'`.execute(
    db,
  );
  await sandbox.latency('facturacom', PAC_MS);
  const staff = staffAtWork(web);
  try {
    const began = performance.now();
    const batchId = await issueNotas(db, { mes, tabla: 'devueltas', usuarioId: person.id, now: new Date() });
    const accepted = performance.now() - began;
    await untilDone(db, batchId, 600_000);
    const seconds = (performance.now() - began) / 1000;
    const waited = await staff.stop();
    const { done } = await progressOf(db, batchId);
    return [
      {
        name: `${count} credit notes, PAC of ${PAC_MS} ms`,
        value: rounded(seconds, 1),
        unit: 's',
        aim: rounded((130 * count) / 2_000, 1),
        note: `accepted in ${Math.round(accepted)} ms; floor ${rounded((count / AT_ONCE) * (PAC_MS / 1000), 1)} s`,
      },
      { name: `${count} credit notes: stamped and stored`, value: done, unit: 'CFDI', aim: count, exactly: true },
      {
        name: 'staff pages meanwhile: p95',
        value: waited.p95,
        unit: 'ms',
        aim: 500,
        note: `${STAFF} people, ${waited.pages} pages, p50 ${waited.p50} ms: ${waited.each}`,
      },
    ];
  } finally {
    await staff.stop();
    await sandbox.clear('facturacom');
  }
}

async function stampGlobalOf({ db, owner, person }: Bench, mes: string, count: number) {
  await seedMes(db, { mes, count });
  await sql`vacuum analyze orden`.execute(owner);
  const began = performance.now();
  const batchId = await generateGlobal(db, { mes, usuarioId: person.id, now: new Date() });
  const acceptMs = performance.now() - began;
  await untilDone(db, batchId, 300_000);
  const { done } = await progressOf(db, batchId);
  return { acceptMs, seconds: (performance.now() - began) / 1000, facturas: done };
}

async function progressOf(db: Db, batchId: string) {
  const progress = await batchProgress(db, batchId);
  if (!progress) throw new Error('the batch is gone');
  return progress;
}

async function untilDone(db: Db, batchId: string, patience: number): Promise<void> {
  for (const end = Date.now() + patience; ; await sleep(100)) {
    const { done, failed, total } = await progressOf(db, batchId);
    if (done + failed >= total) return;
    if (Date.now() > end) throw new Error(`${total - done - failed} of ${total} documents are still under way`);
  }
}

/** People who open one page after the other, with a breath between two. */
function staffAtWork({ url, cookie }: Web) {
  const pages = [
    `${url}/sa/ordenes?${BIG_MONTH.query}`,
    `${url}/sa/facturasClientes?${BIG_MONTH.query}`,
    `${url}/sa/facturacionGeneral?mes=2025-07`,
    `${url}/sa`,
  ];
  const times = pages.map((): number[] => []);
  let working = true;
  const people = Array.from({ length: STAFF }, (_, who) =>
    withVisitor({ cookie }, async (visitor) => {
      for (let at = who; working; at++) {
        const from = performance.now();
        const address = pages[at % pages.length]!;
        const { status } = await visitor.get(address);
        if (status !== 200) throw new Error(`${address} answered ${status}`);
        times[at % pages.length]!.push(performance.now() - from);
        await sleep(250);
      }
    }),
  );
  return {
    async stop() {
      working = false;
      await Promise.all(people);
      const { value: p50, p95 } = spread(times.flat());
      return {
        p50,
        p95,
        pages: times.flat().length,
        each: times.map((of, at) => `${new URL(pages[at]!).pathname} ${Math.round(spread(of).value)}`).join(', '),
      };
    },
  };
}
