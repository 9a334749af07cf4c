import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { log } from '~/core/log.server';
import { nombreDeProceso, watchPulso } from '~/core/pulso.server';
import type { Db } from '~db/client.server';
import { readHechos, type Leido } from './metricas.server';
import { INSTALACION, type MuestraDeProceso, type MuestraDeTodos, type PorNombre } from './internal/muestra';

const EVERY_MS = 60_000;
/** The first sample of a process, soon after its start: a page that asks at once sees it. */
const FIRST_MS = 2_000;
/** Longest time that the last sample may take. */
const LAST_MS = 2_000;

/** What a process knows of itself besides its memory and event loop. `cuenta` tells what was counted since the last sample. */
export type Propio = Pick<MuestraDeProceso, 'tipo' | 'construccion' | 'carriles'> & {
  cuenta?(): Pick<MuestraDeProceso, 'peticiones' | 'vitales'>;
};

/** Tells each minute how this process is, and what all share if no other process told it in that minute. `stop` tells the last part of a minute. */
export function startMuestras(
  db: Db,
  { cuenta, ...propio }: Propio,
  { everyMs = EVERY_MS, firstMs = FIRST_MS } = {},
): { stop(): Promise<void> } {
  const pulso = watchPulso();
  const proceso = nombreDeProceso(propio.tipo);
  let running: Promise<void> = Promise.resolve();
  const take = (last = false) => {
    running = running.then(async () => {
      try {
        await saveMuestra(db, proceso, { ...propio, ...pulso.take(), ...cuenta?.() });
        if (!last) await saveDeTodos(db);
      } catch (error) {
        log.warn('muestra sin guardar', { error: error instanceof Error ? error.message : String(error) });
      }
    });
  };
  const first = setTimeout(() => take(), firstMs).unref();
  const timer = setInterval(() => take(), everyMs).unref();
  return {
    async stop() {
      clearTimeout(first);
      clearInterval(timer);
      take(true);
      // A database that is away keeps nobody from stopping.
      await Promise.race([running, sleep(LAST_MS, undefined, { ref: false })]);
      pulso.stop();
    },
  };
}

/** Keeps the sample of a process at the database's clock. */
export async function saveMuestra(db: Db, proceso: string, datos: MuestraDeProceso): Promise<void> {
  await sql`insert into muestra (en, proceso, datos) values (clock_timestamp(), ${proceso}, ${JSON.stringify(datos)}::jsonb)`.execute(
    db,
  );
}

/** Keeps what all processes share, once in each minute of the database's clock, whichever of them comes first. */
export async function saveDeTodos(db: Db): Promise<void> {
  const { rows } =
    await sql`select from muestra where en = date_trunc('minute', now()) and proceso = ${INSTALACION}`.execute(db);
  if (rows.length > 0) return;
  const datos = deTodosOf(await readHechos(db));
  await sql`insert into muestra (en, proceso, datos) values (date_trunc('minute', now()), ${INSTALACION}, ${JSON.stringify(datos)}::jsonb)
    on conflict (en, proceso) do nothing`.execute(db);
}

/** Returns of what a monitor is told the part that a day of is drawn. What could not be read is null. */
export function deTodosOf(hechos: readonly Leido[]): MuestraDeTodos {
  const valores = (nombre: string) => hechos.find((one) => one.nombre === nombre)?.valores ?? null;
  const por = (
    nombre: string,
    etiqueta: string,
    join: (a: number, b: number) => number,
    wanted = (_: Record<string, string>) => true,
  ): PorNombre =>
    valores(nombre)
      ?.filter(({ etiquetas }) => wanted(etiquetas))
      .reduce<Record<string, number>>((all, { etiquetas, valor }) => {
        const key = etiquetas[etiqueta] ?? '';
        all[key] = key in all ? join(all[key]!, valor) : valor;
        return all;
      }, {}) ?? null;
  const add = (a: number, b: number) => a + b;
  const seconds = (all: PorNombre) =>
    all && Object.fromEntries(Object.entries(all).map(([key, value]) => [key, Math.round(value)]));
  return {
    vencidos: por('jobs', 'task', add, ({ state }) => state === 'due'),
    espera: seconds(por('job_oldest_due_seconds', 'task', Math.max)),
    efectos: por('effects_open', 'state', add),
    edades: seconds(por('effect_oldest_open_seconds', 'state', Math.max)),
    pausados: valores('far_side_paused')?.filter(({ valor }) => valor > 0).length ?? null,
    condiciones: valores('conditions')?.length ?? null,
    quedan: por('backfill_rows_left', 'task', add),
  };
}
