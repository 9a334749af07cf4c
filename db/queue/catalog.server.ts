import { sql } from 'kysely';
import { z } from 'zod';
import { MARKETS, SYNC_KINDS } from '~/core/market';
import { peticionActual } from '~/core/peticion.server';
import { rowOf } from '~/core/table';
import type { Db, Trx } from '~db/client.server';

/**
 * A kind of job: the payload, the attempts, the queue and the key. The domain knows no more of jobs than this catalog.
 * Payloads outlive a deploy, so new fields arrive optional.
 * A task has a queue only where the far side takes a single call at a time, or where a single job at a time is enough.
 * A job in a queue starts at the next look for jobs (jobs/internal/look.ts): graphile-worker 0.17 holds the queue's row
 * while another job of the queue ends, and while any lane asks for work (`for update skip locked`). So no person should
 * wait for a job in a queue.
 */
type Task = {
  payload: z.ZodType;
  attempts: number;
  /**
   * Version of the payload; absent it is the first. A payload that a worker of before would read otherwise (a field that it drops, a word that it does not know)
   * raises it, and waits for a worker that knows it (`identifiersOf`).
   */
  version?: number;
  queue?: string | ((payload: never) => string | undefined);
  key?: (payload: never) => string;
};

const task = <P extends z.ZodType>(definition: {
  payload: P;
  attempts: number;
  version?: number;
  queue?: string | ((payload: z.infer<P>) => string | undefined);
  key?: (payload: z.infer<P>) => string;
}) => definition;

const SyncKind = z.enum(SYNC_KINDS);
/**
 * The task of each far side, named `effect.` and the kind. The worker keeps far sides apart, so a slow far side delays
 * only its own effects.
 */
const RUN_EFFECT = task({ payload: z.object({ effectId: z.string() }), attempts: 1, key: (p) => p.effectId });

/** Every task by name, except the effects of far sides. Names are stored in queued jobs, so a name never changes. */
export const TASKS = {
  'effect.sweep': task({ payload: z.object({}), attempts: 1, key: () => 'sweep' }),
  // Looks for what ended at one far side while a call of it may still arrive. One job of each, so a slow far side holds one place of the lane.
  'effects.lookLate': task({
    payload: z.object({ connection: z.string() }),
    attempts: 1,
    queue: (p) => `mirar-${p.connection}`,
    key: (p) => p.connection,
  }),
  // Without a market: a job for each linked marketplace.
  'ventas.sync': task({
    payload: z.object({ market: z.enum(MARKETS).optional(), kind: SyncKind, since: z.string().optional() }),
    attempts: 5,
    queue: (p) => (p.market ? `ventas-sync-${p.market}` : undefined),
    key: (p) => `${p.market ?? 'todos'}:${p.kind}`,
  }),
  // The name of ventas.sync in jobs queued by older versions.
  'ordenes.syncMl': task({
    payload: z.object({ kind: SyncKind, since: z.string().optional() }),
    attempts: 5,
    key: (p) => p.kind,
  }),
  'enlaces.send': task({ payload: z.object({}), attempts: 1, key: () => 'send' }),
  // Works through all waiting notices; a single job at a time is enough.
  'inbox.drain': task({ payload: z.object({}), attempts: 1, queue: 'inbox', key: () => 'drain' }),
  'inbox.process': task({ payload: z.object({ inboxId: z.number() }), attempts: 1, key: (p) => String(p.inboxId) }),
  'inbox.sweep': task({ payload: z.object({}), attempts: 1, key: () => 'sweep' }),
  'avisos.colas': task({ payload: z.object({}), attempts: 1, queue: 'avisos-colas', key: () => 'colas' }),
  'cfdi.followCancel': task({ payload: z.object({}), attempts: 1, key: () => 'follow' }),
  'export.run': task({ payload: z.object({ exportId: z.string() }), attempts: 2, key: (p) => p.exportId }),
  'lote.run': task({ payload: z.object({ loteId: z.string() }), attempts: 5, key: (p) => p.loteId }),
  'catalogos.refresh': task({ payload: z.object({}), attempts: 3, key: () => 'refresh' }),
  'plazos.avisar': task({ payload: z.object({}), attempts: 1, key: () => 'avisar' }),
  'condiciones.watch': task({ payload: z.object({}), attempts: 1, key: () => 'watch' }),
  'proveedores.probar': task({ payload: z.object({}), attempts: 1, key: () => 'probar' }),
  // Without a supplier: a job for each linked supplier with a whole catalogue.
  'catalogo.leer': task({
    payload: z.object({ proveedor: z.string().optional(), tipo: z.enum(['completa', 'precios']).optional() }),
    attempts: 1,
    key: (p) => [p.proveedor ?? 'todos', ...(p.tipo ? [p.tipo] : [])].join(':'),
  }),
  // Finds products that became too old for the marketplaces, and products that are fresh again.
  'catalogo.vigilar': task({ payload: z.object({}), attempts: 1, key: () => 'vigilar' }),
  // Without a market: a job for each linked marketplace.
  'publicaciones.sync': task({
    payload: z.object({
      market: z.enum(MARKETS).optional(),
      modo: z.enum(['todas', 'movidas', 'competencia', 'promociones']),
    }),
    attempts: 3,
    queue: (p) => (p.market ? `publicaciones-${p.market}` : undefined),
    key: (p) => `${p.market ?? 'todos'}:${p.modo}`,
  }),
  'publicaciones.seguir': task({ payload: z.object({}), attempts: 1, key: () => 'seguir' }),
  'pedidos.seguir': task({ payload: z.object({}), attempts: 1, key: () => 'seguir' }),
  // Without a market: a job for each marketplace that reports its payouts.
  'liquidacion.traer': task({
    payload: z.object({ market: z.enum(MARKETS).optional() }),
    attempts: 3,
    key: (p) => p.market ?? 'todos',
  }),
  // Asks a marketplace what it would take of sales and of what is on sale. Without a market: a job for each linked one that tells it.
  'comisiones.preguntar': task({
    payload: z.object({ market: z.enum(MARKETS).optional() }),
    attempts: 2,
    queue: (p) => (p.market ? `comisiones-${p.market}` : undefined),
    key: (p) => p.market ?? 'todos',
  }),
  'productos.contar': task({ payload: z.object({}), attempts: 1, key: () => 'contar' }),
  // Follows the refunds of labels that were given back.
  'guias.reembolsos': task({ payload: z.object({}), attempts: 2, key: () => 'reembolsos' }),
  // Reckons the sales of before the ledger, and those whose estimate follows the rates of a market, or the typed cost of a product, that moved.
  'libro.asentar': task({
    payload: z.object({ market: z.enum(MARKETS).optional(), sku: z.string().optional() }),
    attempts: 2,
    key: (p) => (p.sku === undefined ? (p.market ?? 'todos') : `sku:${p.sku}`),
  }),
  // Reads the taxes of suppliers' documents that were kept before taxes were read.
  'impuestos.leer': task({ payload: z.object({}), attempts: 2, key: () => 'leer' }),
  // Keeps the supplier's price with sales that nothing is ordered for: of those that just came in, or of all.
  'costos.ver': task({
    payload: z.object({ llegadas: z.literal(true).optional() }),
    attempts: 2,
    key: (p) => (p.llegadas ? 'llegadas' : 'todos'),
  }),
  // Compares the CFDI of the PAC with those that are here.
  'cfdi.cotejar': task({ payload: z.object({}), attempts: 2, key: () => 'cotejar' }),
  // Compares the ledgers of sales with what should stand in them.
  'libro.cuadrar': task({ payload: z.object({}), attempts: 2, key: () => 'cuadrar' }),
  // Checks that the movements of stock add up to the place of each piece.
  'stock.cuadrar': task({ payload: z.object({}), attempts: 2, key: () => 'cuadrar' }),
  // Enqueued by the database itself, in the transaction of the event, with a key of its own (trigger `gancho_avisar`).
  'ganchos.repartir': task({ payload: z.object({}), attempts: 3 }),
  'ganchos.entregar': task({ payload: z.object({ ganchoId: z.string() }), attempts: 3, key: (p) => p.ganchoId }),
  'ganchos.barrer': task({ payload: z.object({}), attempts: 1, key: () => 'barrer' }),
  // Copies to the bucket what the folder of backups has and the bucket has not. The archive never waits for a backup.
  'respaldo.trasladar': task({
    payload: z.object({ que: z.enum(['wal', 'base']) }),
    attempts: 1,
    queue: (p) => (p.que === 'wal' ? 'respaldo-wal' : 'respaldo-base'),
    key: (p) => p.que,
  }),
  // Restores the newest backup of the bucket, and never beside an upload of one.
  'respaldo.probar': task({ payload: z.object({}), attempts: 1, queue: 'respaldo-base', key: () => 'probar' }),
  // Fetches a supplier's pictures of a product that somebody looks at or publishes.
  'productos.fotos': task({ payload: z.object({ productoId: z.string() }), attempts: 3, key: (p) => p.productoId }),
  // Makes the small pictures that lists asked for: one run at a time, so suppliers are asked for few pictures at once.
  'productos.retratos': task({ payload: z.object({}), attempts: 3, queue: 'retratos', key: () => 'retratos' }),
  'maintenance.clean': task({ payload: z.object({}), attempts: 2, key: () => 'clean' }),
} satisfies Record<string, Task>;

export type EffectTask = `effect.${string}`;
/** Name of a task, effects of far sides included. */
export type TaskName = keyof typeof TASKS | EffectTask;
export type Payload<N extends TaskName> = N extends keyof typeof TASKS
  ? z.infer<(typeof TASKS)[N]['payload']>
  : z.infer<typeof RUN_EFFECT.payload>;

/**
 * Returns the definition of a task. Any other name is an effect of a far side; the list of far sides is not known here.
 */
export function taskNamed(name: TaskName): Task {
  return rowOf(TASKS, name) ?? RUN_EFFECT;
}

const identifierOf = (name: TaskName, version: number) => (version === 1 ? name : `${name}@${version}`);

/** Returns the version in which this process writes the jobs of a task. */
export const versionOf = (name: TaskName): number => taskNamed(name).version ?? 1;

/**
 * Returns the names under which jobs of a task lie in the queue, the first version first. A worker asks for these alone: a job of a later version, or of a task
 * that it does not have, stays as it is, with all its attempts.
 */
export function identifiersOf(name: TaskName): string[] {
  return Array.from({ length: versionOf(name) }, (_, at) => identifierOf(name, at + 1));
}

type Spec = {
  identifier: string;
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
  options: { waitMs?: number | undefined; priority?: number },
): Spec => {
  const { attempts, queue, key } = taskNamed(name);
  const peticion = peticionActual();
  return {
    identifier: identifierOf(name, versionOf(name)),
    // A worker that does not know the id drops it.
    payload: peticion ? { ...(payload as object), peticion } : payload,
    queueName: typeof queue === 'function' ? queue(payload as never) : queue,
    waitMs: options.waitMs,
    maxAttempts: attempts,
    jobKey: key ? `${name}:${key(payload as never)}` : undefined,
    priority: options.priority ?? 0,
  };
};

/** Returns the key that tells a job from others of its task; '' where a single pending job is enough. */
export function keyOf<N extends TaskName>(name: N, payload: Payload<N>): string {
  const { key } = taskNamed(name);
  return key?.(payload as never) ?? '';
}

/**
 * Adds a job in the caller's transaction. A lower `priority` goes first. `waitMs` counts from now by the database's
 * clock, the clock that all processes share. A key spares a second pending job, not a second run: while a job runs, a
 * new job of the same key is queued. So each verb checks the state before acting. Throws when the queue does not take
 * the job after ten tries.
 */
export async function enqueue<N extends TaskName>(
  trx: Trx | Db,
  name: N,
  payload: Payload<N>,
  options: { waitMs?: number; priority?: number } = {},
) {
  await add(trx, [specOf(name, payload, options)]);
}

/** Adds many jobs of a kind in a single statement, for bulk work; see `enqueue`. */
export async function enqueueAll<N extends TaskName>(
  trx: Trx | Db,
  name: N,
  payloads: Payload<N>[],
  options: { waitMs?: number | undefined; priority?: number } = {},
) {
  await add(
    trx,
    payloads.map((payload) => specOf(name, payload, options)),
  );
}

/** Most tries. Each failed try needs a worker that starts a job of the same key in the same instant. */
const TRIES = 10;

/**
 * Adds jobs, and tries again for jobs that the queue dropped. When a job of the same key starts between two statements
 * of `add_jobs`, graphile-worker 0.17 adds nothing and reports nothing (`where jobs.locked_at is null`). The next try
 * sees the job running and adds a new job.
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
