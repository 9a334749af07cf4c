import { sql } from 'kysely';
import { enumerate } from '~/core/hechos';
import { listAcarreosAbiertos, nombreDeAcarreo, QUIETO_MINUTES } from './acarreo.server';
import type { Condicion } from './condicion';

/* The queue, and what an upgrade left to it. */

/** Jobs failed as often as they may. The queue never tries them again; the nightly cleaning removes them and says which. */
export const trabajosAgotados: Condicion = {
  clave: 'trabajos',
  async mira(db) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from graphile_worker._private_jobs where attempts >= max_attempts and locked_at is null`.execute(
      db,
    );
    const { n } = rows[0]!;
    return n === 0
      ? null
      : {
          nivel: 'aviso',
          texto: n === 1 ? 'Un trabajo interno agotó sus intentos.' : `${n} trabajos internos agotaron sus intentos.`,
          remedio: 'Busca «cola» en el registro del worker: lo que hacían se vuelve a intentar en su siguiente turno.',
        };
  },
};

/** Minutes that a job may wait for a worker that knows it: a deploy takes less. */
const SIN_WORKER_MINUTES = 10;

/** Jobs wait that no worker takes: they were written by a newer version, and it is not the one that runs. */
export const trabajosSinWorker: Condicion = {
  clave: 'trabajosSinWorker',
  async mira(db) {
    const { rows } = await sql<{ tarea: string; n: number; oyen: boolean }>`
      with viva as (
        select distinct on (proceso) datos -> 'carriles' as carriles from muestra
        where en > now() - interval '3 minutes' and datos ->> 'tipo' = 'worker' order by proceso, en desc),
      toma as (select jsonb_array_elements_text(carril.value) as tarea from viva, jsonb_each(viva.carriles) carril)
      select t.identifier as tarea, count(*)::int as n, exists (select from viva) as oyen
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where j.is_available and j.run_at < now() - make_interval(mins => ${SIN_WORKER_MINUTES})
        and t.identifier not in (select tarea from toma) group by t.identifier order by t.identifier`.execute(db);
    if (rows.length === 0) return null;
    if (!rows[0]!.oyen) throw new Error('ningún worker dice qué trabajos toma');
    const n = rows.reduce((sum, one) => sum + one.n, 0);
    return {
      nivel: 'grave',
      texto: `${n === 1 ? 'Un trabajo interno espera' : `${n} trabajos internos esperan`} a un worker más nuevo que los que corren (${rows.map(({ tarea }) => tarea).join(', ')}).`,
      remedio: 'Pon en marcha un worker de la versión que los pidió: siguen enteros, con todos sus intentos.',
    };
  },
};

/** What an upgrade left to a job stands still while rows are left: screens go on showing '—' for them. */
export const acarreoQuieto: Condicion = {
  clave: 'acarreoQuieto',
  async mira(db) {
    const abiertos = await listAcarreosAbiertos(db);
    const quietos = abiertos.filter(({ quieto }) => quieto);
    // A process that has run for so long has told a sample each minute.
    if (quietos.length === 0 && process.uptime() > 2 * QUIETO_MINUTES * 60) {
      const callados = abiertos.filter(({ quieto }) => quieto === null);
      if (callados.length > 0)
        throw new Error(`nadie ha dicho cuánto le queda a ${enumerate(callados.map(({ tarea }) => tarea))}`);
    }
    if (quietos.length === 0) return null;
    const cuales = quietos.map(({ tarea, quedan }) => `«${nombreDeAcarreo(tarea)}» (${quedan} por hacer)`);
    return {
      nivel: 'aviso',
      texto: `Lo que dejó la actualización no avanza desde hace más de ${QUIETO_MINUTES} minutos: ${enumerate(cuales)}.`,
      remedio: `Busca ${enumerate(quietos.map(({ tarea }) => `«${tarea}»`))} en el registro del worker: ahí está en qué falla. Lo que falta se ve con «—» y sigue donde iba en cuanto se corrige.`,
      pantalla: 'estado',
    };
  },
};
