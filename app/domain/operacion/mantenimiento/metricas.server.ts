import { sql, type RawBuilder } from 'kysely';
import type { Db } from '~db/client.server';

type Valor = { etiquetas: Record<string, string>; valor: number };
type Hecho = { nombre: string; ayuda: string; lee: RawBuilder<Valor> };

/** Seconds from an instant to now, as SQL. */
const segundosDesde = (instante: string) => sql`extract(epoch from now() - ${sql.raw(instante)})::float8`;

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
    nombre: 'far_side_last_ok_seconds',
    ayuda: 'How long ago a far side last answered well, by kind of call.',
    lee: sql`select jsonb_build_object('kind', kind, 'call', call) as etiquetas, min(${segundosDesde('last_ok_at')}) as valor
      from connection_breaker where last_ok_at is not null group by kind, call`,
  },
  {
    nombre: 'conditions',
    ayuda: 'Conditions that somebody has to see to; 2 is grave, 1 is a warning.',
    lee: sql`select jsonb_build_object('condition', clave) as etiquetas, (case nivel when 'grave' then 2 else 1 end)::float8 as valor from condicion`,
  },
];

/** Returns what can be measured of the installation as a whole. A fact that cannot be read is left out, so a monitor sees a gap and no zero. */
export async function readMetricas(db: Db): Promise<{ nombre: string; ayuda: string; valores: Valor[] }[]> {
  const leidos = await Promise.all(
    HECHOS.map(async ({ nombre, ayuda, lee }) => {
      const { rows } = await sql<Valor>`${lee}`.execute(db).catch(() => ({ rows: [] as Valor[] }));
      return { nombre, ayuda, valores: rows };
    }),
  );
  return leidos.filter(({ valores }) => valores.length > 0);
}
