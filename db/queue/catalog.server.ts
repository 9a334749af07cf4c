import { sql } from 'kysely';
import { z } from 'zod';
import { MARKETS, SYNC_KINDS } from '~/core/market';
import type { Db, Trx } from '~db/client.server';

/**
 * All the domain knows of jobs: names, payloads and how to ask for one. Payloads outlive a deploy, so new fields arrive optional.
 * A queue only where the far side takes one call at a time, or one at a time is enough. What is in one begins when its lane looks for work again (`lookMs`,
 * jobs/lanes.ts): its row is held while another job of it ends, and while any lane looks for work (graphile-worker 0.17, `for update skip locked`). So
 * nobody waits for what is in one.
 */
type Task = {
  payload: z.ZodType;
  attempts: number;
  queue?: string | ((payload: never) => string | undefined);
  key?: (payload: never) => string;
};

const task = <P extends z.ZodType>(definition: {
  payload: P;
  attempts: number;
  queue?: string | ((payload: z.infer<P>) => string | undefined);
  key?: (payload: z.infer<P>) => string;
}) => definition;

const SyncKind = z.enum(SYNC_KINDS);
/** A task for each far side, `effect.` and its kind: the worker keeps them apart, so that a slow one makes only its own wait. */
const RUN_EFFECT = task({ payload: z.object({ effectId: z.string() }), attempts: 1, key: (p) => p.effectId });

export const TASKS = {
  'effect.sweep': task({ payload: z.object({}), attempts: 1, key: () => 'sweep' }),
  // Without a market: one job for each marketplace that is linked.
  'ventas.sync': task({
    payload: z.object({ market: z.enum(MARKETS).optional(), kind: SyncKind, since: z.string().optional() }),
    attempts: 5,
    queue: (p) => (p.market ? `ventas-sync-${p.market}` : undefined),
    key: (p) => `${p.market ?? 'todos'}:${p.kind}`,
  }),
  // The name of ventas.sync in jobs that were queued before it had one.
  'ordenes.syncMl': task({
    payload: z.object({ kind: SyncKind, since: z.string().optional() }),
    attempts: 5,
    key: (p) => p.kind,
  }),
  'enlaces.send': task({ payload: z.object({}), attempts: 1, key: () => 'send' }),
  // What waits, all of it: one of them at a time is enough.
  'inbox.drain': task({ payload: z.object({}), attempts: 1, queue: 'inbox', key: () => 'drain' }),
  'inbox.process': task({ payload: z.object({ inboxId: z.number() }), attempts: 1, key: (p) => String(p.inboxId) }),
  'inbox.sweep': task({ payload: z.object({}), attempts: 1, key: () => 'sweep' }),
  'cfdi.followCancel': task({ payload: z.object({}), attempts: 1, key: () => 'follow' }),
  'export.run': task({ payload: z.object({ exportId: z.string() }), attempts: 2, key: (p) => p.exportId }),
  'lote.run': task({ payload: z.object({ loteId: z.string() }), attempts: 5, key: (p) => p.loteId }),
  'catalogos.refresh': task({ payload: z.object({}), attempts: 3, key: () => 'refresh' }),
  'plazos.avisar': task({ payload: z.object({}), attempts: 1, key: () => 'avisar' }),
  'condiciones.watch': task({ payload: z.object({}), attempts: 1, key: () => 'watch' }),
  'proveedores.probar': task({ payload: z.object({}), attempts: 1, key: () => 'probar' }),
  // Without a supplier: one job for each that is linked and tells its whole catalogue.
  'catalogo.leer': task({
    payload: z.object({ proveedor: z.string().optional(), tipo: z.enum(['completa', 'precios']).optional() }),
    attempts: 1,
    key: (p) => [p.proveedor ?? 'todos', ...(p.tipo ? [p.tipo] : [])].join(':'),
  }),
  // What stopped counting for the marketplaces, and what counts again.
  'catalogo.vigilar': task({ payload: z.object({}), attempts: 1, key: () => 'vigilar' }),
  // Without a market: one job for each marketplace that is linked.
  'publicaciones.sync': task({
    payload: z.object({ market: z.enum(MARKETS).optional(), modo: z.enum(['todas', 'movidas']) }),
    attempts: 3,
    queue: (p) => (p.market ? `publicaciones-${p.market}` : undefined),
    key: (p) => `${p.market ?? 'todos'}:${p.modo}`,
  }),
  'publicaciones.seguir': task({ payload: z.object({}), attempts: 1, key: () => 'seguir' }),
  'pedidos.seguir': task({ payload: z.object({}), attempts: 1, key: () => 'seguir' }),
  // Without a market: one job for each marketplace that tells what it paid out.
  'liquidacion.traer': task({
    payload: z.object({ market: z.enum(MARKETS).optional() }),
    attempts: 3,
    key: (p) => p.market ?? 'todos',
  }),
  'productos.contar': task({ payload: z.object({}), attempts: 1, key: () => 'contar' }),
  // What became of the money of labels that were given back.
  'guias.reembolsos': task({ payload: z.object({}), attempts: 2, key: () => 'reembolsos' }),
  // Whether the movements of stock add up to where each piece is.
  'stock.cuadrar': task({ payload: z.object({}), attempts: 2, key: () => 'cuadrar' }),
  // Asked for by the transaction in which something happened, by its own key (`gancho_avisar`).
  'ganchos.repartir': task({ payload: z.object({}), attempts: 3 }),
  'ganchos.entregar': task({ payload: z.object({ ganchoId: z.string() }), attempts: 3, key: (p) => p.ganchoId }),
  'ganchos.barrer': task({ payload: z.object({}), attempts: 1, key: () => 'barrer' }),
  'maintenance.clean': task({ payload: z.object({}), attempts: 2, key: () => 'clean' }),
} satisfies Record<string, Task>;

export type EffectTask = `effect.${string}`;
export type TaskName = keyof typeof TASKS | EffectTask;
export type Payload<N extends TaskName> = N extends keyof typeof TASKS
  ? z.infer<(typeof TASKS)[N]['payload']>
  : z.infer<typeof RUN_EFFECT.payload>;

/** What the queue knows of a task. Which far sides there are, and so which of theirs can be run, is not its business. */
export function taskNamed(name: TaskName): Task {
  return Object.hasOwn(TASKS, name) ? TASKS[name as keyof typeof TASKS] : RUN_EFFECT;
}

type Spec = {
  identifier: TaskName;
  payload: unknown;
  queueName?: string;
  waitMs?: number;
  maxAttempts: number;
  jobKey?: string;
  priority: number;
};

const specOf = <N extends TaskName>(
  name: N,
  payload: Payload<N>,
  options: { waitMs?: number; priority?: number },
): Spec => {
  const { attempts, queue, key } = taskNamed(name);
  return {
    identifier: name,
    payload,
    queueName: typeof queue === 'function' ? queue(payload as never) : queue,
    waitMs: options.waitMs,
    maxAttempts: attempts,
    jobKey: key ? `${name}:${key(payload as never)}` : undefined,
    priority: options.priority ?? 0,
  };
};

/** What tells a job from others of its task; empty where one of them is enough. */
export function keyOf<N extends TaskName>(name: N, payload: Payload<N>): string {
  const { key } = taskNamed(name);
  return key?.(payload as never) ?? '';
}

/**
 * Adds a job in the caller's transaction; a lower `priority` goes first. `waitMs` is counted from now by the database's clock: it is the one clock all processes share. A key spares a second pending job, not a second run: while the first is running a new one
 * is queued, so each verb checks state before it acts.
 */
export async function enqueue<N extends TaskName>(
  trx: Trx | Db,
  name: N,
  payload: Payload<N>,
  options: { waitMs?: number; priority?: number } = {},
) {
  await add(trx, [specOf(name, payload, options)]);
}

/** Many jobs of one kind in one statement, for bulk work. */
export async function enqueueAll<N extends TaskName>(
  trx: Trx | Db,
  name: N,
  payloads: Payload<N>[],
  options: { priority?: number } = {},
) {
  await add(
    trx,
    payloads.map((payload) => specOf(name, payload, options)),
  );
}

/** Each time a worker would have to begin the job of the same key in the same instant. */
const TRIES = 10;

/**
 * A job of the same key that begins between two statements of `add_jobs` makes it add nothing, without a word (graphile-worker 0.17, `where jobs.locked_at is null`):
 * what was not added is added again, and by then the running one is seen to run.
 */
async function add(trx: Trx | Db, specs: Spec[]) {
  let missing = specs;
  for (let tries = 0; missing.length > 0; tries++) {
    if (tries === TRIES) throw new Error(`no se pudo encolar ${missing[0]!.identifier}`);
    const { rows } = await sql<{ key: string | null }>`select key from graphile_worker.add_jobs(
      (select array_agg(row(s->>'identifier', s->'payload', s->>'queueName', now() + (s->>'waitMs')::float8 * interval '1 ms', (s->>'maxAttempts')::int, s->>'jobKey', (s->>'priority')::int, null)::graphile_worker.job_spec)
       from jsonb_array_elements(${JSON.stringify(missing)}::jsonb) s))`.execute(trx);
    const added = new Set(rows.map(({ key }) => key));
    missing = missing.filter(({ jobKey }) => jobKey !== undefined && !added.has(jobKey));
  }
}
