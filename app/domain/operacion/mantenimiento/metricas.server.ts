import { sql, type RawBuilder } from 'kysely';
import { SYNC_KINDS } from '~/core/market';
import { listFuentes } from '~/domain/mercados/registro.server';
import { callsLeft } from '~/platform/connections/bucket.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import type { Db } from '~db/client.server';
import { QUEDAN } from './internal/acarreo.server';
import { INSTALACION } from './internal/muestra';

type Valor = { etiquetas: Record<string, string>; valor: number };
type Hecho = { nombre: string; ayuda: string; lee: RawBuilder<Valor> | (() => RawBuilder<Valor>) };

/** A thing that is measured, and what was read of it; null when it could not be read, which is no zero. */
export type Leido = { nombre: string; ayuda: string; valores: Valor[] | null };

/** Seconds from an instant to now, as SQL. */
const segundosDesde = (instante: string) => sql`extract(epoch from now() - ${sql.raw(instante)})::float8`;

/** The last run of each kind that a source of sales ended well, and the last whole reading of each supplier's catalogue. */
const LEIDAS = () => sql<Valor>`
  select jsonb_build_object('source', s.source, 'run', k.kind) as etiquetas, ${segundosDesde('r.ended_at')} as valor
    from unnest(${listFuentes().map(({ source }) => source)}::text[]) s(source), unnest(${[...SYNC_KINDS]}::text[]) k(kind), lateral (
      select ended_at from sync_run where source = s.source and kind = k.kind and error is null and ended_at is not null order by started_at desc limit 1) r
  union all
  select jsonb_build_object('source', p.proveedor, 'run', 'catalogo'), ${segundosDesde('r.termino_en')}
    from catalogo_proveedor p, lateral (
      select termino_en from lectura_catalogo where proveedor = p.proveedor and completa order by empezo_en desc limit 1) r`;

/** Newest samples of processes that still tell how they are. */
const VIVAS = sql`(select distinct on (proceso) proceso, datos from muestra
  where en > now() - interval '3 minutes' and proceso <> ${INSTALACION} order by proceso, en desc) m`;

/** Due jobs of each lane that a living worker has, by number (`n`) and age of the oldest (`edad`); what no worker takes is of the lane 'ninguno'. */
const POR_CARRIL = sql`(
  with tomado as (
    select distinct lane.carril, task.tarea
    from ${VIVAS}, jsonb_each(m.datos -> 'carriles') lane (carril, tareas), jsonb_array_elements_text(lane.tareas) task (tarea)),
  vencido as (
    select t.identifier as tarea, count(*) as n, max(${segundosDesde('j.run_at')}) as edad
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where j.run_at <= now() and j.locked_at is null and j.attempts < j.max_attempts group by t.identifier)
  select coalesce(carril, 'ninguno') as carril, coalesce(sum(n), 0)::float8 as n, coalesce(max(edad), 0)::float8 as edad
  from tomado full join vencido using (tarea) group by 1) c`;

/** The part that each far side's bucket of calls holds now. One that was never called has no row, and is full. */
const PRESUPUESTO = () =>
  sql.join<Valor>(
    CONNECTIONS.all().map(
      ({ kind, budget }) => sql<Valor>`
        select jsonb_build_object('kind', ${kind}::text) as etiquetas, greatest(0, ${callsLeft(budget)}) / ${budget.burst}::float8 as valor
        from connection c where kind = ${kind} and account = ''`,
    ),
    sql` union all `,
  );

/** What every process of the installation shares, each read by one statement over rows that an index finds. Ids and names of people are no labels. */
const HECHOS: readonly Hecho[] = [
  {
    nombre: 'workers_alive',
    ayuda: 'Lanes of workers whose heart beat within half a minute.',
    lee: sql`select '{}'::jsonb as etiquetas, count(*)::float8 as valor from worker_heartbeat where beat_at > now() - interval '30 s'`,
  },
  {
    nombre: 'jobs',
    ayuda: 'Jobs of the queue by task: due, waiting for their time, running, and without tries left.',
    lee: sql`select jsonb_build_object('task', t.identifier, 'state', s.estado) as etiquetas, count(*)::float8 as valor
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        cross join lateral (select case when j.attempts >= j.max_attempts then 'failed' when j.locked_at is not null then 'running'
          when j.run_at <= now() then 'due' else 'waiting' end as estado) s
      group by t.identifier, s.estado`,
  },
  {
    nombre: 'job_oldest_due_seconds',
    ayuda: 'How long the oldest due job of each task has waited.',
    lee: sql`select jsonb_build_object('task', t.identifier) as etiquetas, max(${segundosDesde('j.run_at')}) as valor
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where j.run_at <= now() and j.locked_at is null and j.attempts < j.max_attempts group by t.identifier`,
  },
  {
    nombre: 'lane_jobs_due',
    ayuda: 'Due jobs by lane of the workers; those that no worker takes are of the lane ninguno.',
    lee: sql`select jsonb_build_object('lane', carril) as etiquetas, n as valor from ${POR_CARRIL}`,
  },
  {
    nombre: 'lane_oldest_due_seconds',
    ayuda: 'How long the oldest due job of each lane has waited; 0 where none is due.',
    lee: sql`select jsonb_build_object('lane', carril) as etiquetas, edad as valor from ${POR_CARRIL}`,
  },
  {
    nombre: 'effects_open',
    ayuda: 'Writes to far sides that are not settled, by kind and state; manual ones wait for people.',
    lee: sql`select jsonb_build_object('type', type, 'state', state) as etiquetas, count(*)::float8 as valor
      from effect where state in ('queued', 'sending', 'unknown', 'manual') group by type, state`,
  },
  {
    nombre: 'effect_oldest_open_seconds',
    ayuda: 'Age of the oldest write that is not settled, by kind and state.',
    lee: sql`select jsonb_build_object('type', type, 'state', state) as etiquetas, max(${segundosDesde('created_at')}) as valor
      from effect where state in ('queued', 'sending', 'unknown', 'manual') group by type, state`,
  },
  {
    nombre: 'far_side_paused',
    ayuda: '1 while a far side is not called: its breaker is open, or its account has a problem.',
    lee: sql`select jsonb_build_object('kind', c.kind, 'call', b.call) as etiquetas,
        (b.open_until > now() or c.account_problem is not null)::int::float8 as valor
      from connection c join connection_breaker b on b.kind = c.kind and b.account = c.account`,
  },
  {
    nombre: 'far_side_budget_left',
    ayuda:
      'Part of the calls in a burst that each far side may still get now: 1 is full, and at 0 the next call waits.',
    lee: PRESUPUESTO,
  },
  {
    nombre: 'far_side_last_ok_seconds',
    ayuda: 'How long ago a far side last answered well, by kind of call.',
    lee: sql`select jsonb_build_object('kind', kind, 'call', call) as etiquetas, min(${segundosDesde('last_ok_at')}) as valor
      from connection_breaker where last_ok_at is not null group by kind, call`,
  },
  {
    nombre: 'far_side_answers_day',
    ayuda: 'Answers of each far side in the last 24 hours, by what became of them.',
    lee: sql`select jsonb_build_object('kind', connection, 'outcome', o.outcome) as etiquetas, sum(o.n)::float8 as valor
      from respuesta_lejana, lateral (values ('taken', contestadas - rechazadas), ('refused', rechazadas)) o(outcome, n)
      where hora > now() - interval '24 hours' group by connection, o.outcome`,
  },
  {
    nombre: 'source_last_ok_seconds',
    ayuda: 'How long ago each source was last read well, by kind of run.',
    lee: LEIDAS,
  },
  {
    nombre: 'ledger_differences',
    ayuda: 'Sales whose ledger, and pieces of stock whose movements, did not add up in the last nightly comparison.',
    lee: sql`select '{"ledger": "ventas"}'::jsonb as etiquetas, valor from (select descuadradas::float8 as valor from libro_cuadre order by id desc limit 1) l
      union all select '{"ledger": "stock"}', valor from (select descuadradas::float8 as valor from stock_cuadre order by id desc limit 1) s`,
  },
  {
    nombre: 'ledger_compared_seconds',
    ayuda: 'How long ago ledgers were last compared.',
    lee: sql`select '{"ledger": "ventas"}'::jsonb as etiquetas, valor from (select ${segundosDesde('en')} as valor from libro_cuadre order by id desc limit 1) l
      union all select '{"ledger": "stock"}', valor from (select ${segundosDesde('en')} as valor from stock_cuadre order by id desc limit 1) s`,
  },
  {
    nombre: 'backfill_rows_left',
    ayuda: 'Rows of before an upgrade that its job has not brought up to it yet, by task.',
    lee: sql`select jsonb_build_object('task', tarea) as etiquetas, quedan as valor from (${QUEDAN}) b`,
  },
  {
    nombre: 'backup_waiting_seconds',
    ayuda: 'How long archived WAL, and a base backup, have waited for the bucket; 0 when all of it is there.',
    lee: sql`select jsonb_build_object('what', que) as etiquetas, coalesce(${segundosDesde('pendiente_desde')}, 0) as valor from respaldo_traslado`,
  },
  {
    nombre: 'backup_restored_seconds',
    ayuda: 'How long ago a backup of the bucket was last restored well.',
    lee: sql`select '{}'::jsonb as etiquetas, ${segundosDesde('en')} as valor from (select en from respaldo_prueba where bien order by id desc limit 1) p`,
  },
  {
    nombre: 'process_memory_bytes',
    ayuda: 'Resident memory of each process of the installation, workers included, by its last sample.',
    lee: sql`select jsonb_build_object('process', m.proceso) as etiquetas, (m.datos ->> 'memoriaMb')::float8 * 1048576 as valor from ${VIVAS}`,
  },
  {
    nombre: 'process_event_loop_p99_seconds',
    ayuda: 'By how much the event loop of each process came late in its last minute: 99 of 100 times not by more.',
    lee: sql`select jsonb_build_object('process', m.proceso) as etiquetas, (m.datos ->> 'atrasoP99Ms')::float8 / 1000 as valor from ${VIVAS}`,
  },
  {
    nombre: 'build_info',
    ayuda: 'Build of each process.',
    lee: sql`select jsonb_build_object('process', m.proceso, 'build', m.datos ->> 'construccion') as etiquetas, 1::float8 as valor from ${VIVAS}`,
  },
  {
    nombre: 'schema_info',
    ayuda: 'The last migration of the database.',
    lee: sql`select jsonb_build_object('version', name) as etiquetas, 1::float8 as valor from kysely_migration order by name desc limit 1`,
  },
  {
    nombre: 'conditions',
    ayuda: 'Conditions that somebody has to see to; 2 is grave, 1 is a warning.',
    lee: sql`select jsonb_build_object('condition', clave) as etiquetas, (case nivel when 'grave' then 2 else 1 end)::float8 as valor from condicion`,
  },
];

/** Reads what can be measured of the installation as a whole, one statement after the other: nobody waits for it, and people's pages need connections. */
export async function readHechos(db: Db): Promise<Leido[]> {
  const leidos: Leido[] = [];
  for (const { nombre, ayuda, lee } of HECHOS) {
    const valores = await sql<Valor>`${typeof lee === 'function' ? lee() : lee}`.execute(db).then(
      ({ rows }) => rows,
      () => null,
    );
    leidos.push({ nombre, ayuda, valores });
  }
  return leidos;
}

/** Returns what a monitor is told of the installation. A fact that could not be read is left out, so a monitor sees a gap and no zero. */
export async function readMetricas(db: Db): Promise<{ nombre: string; ayuda: string; valores: Valor[] }[]> {
  return (await readHechos(db)).flatMap(({ valores, ...resto }) =>
    valores && valores.length > 0 ? [{ ...resto, valores }] : [],
  );
}
