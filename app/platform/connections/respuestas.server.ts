import { sql } from 'kysely';
import { log } from '~/core/log.server';
import { giveBackAnswers, takeAnswers } from '~/integrations/respuestas.server';
import type { Db } from '~db/client.server';
import type { Seen } from './definition';
import { CONNECTIONS } from './registry.server';

const HOURS = 24;
const KEEP_EVERY_MS = 60_000;

/**
 * Share of refused answers from which people are told, and how many answers there must be to judge. Mercado Libre blocks an application for too many
 * 4xx and publishes no number, so these are ours.
 */
const TOLD = { share: 0.1, answers: 200 };

/** Answers of a far side in the last 24 hours, how many were 4xx, and the route with most of those. */
export type Rechazadas = {
  connection: string;
  contestadas: number;
  rechazadas: number;
  peor: { ruta: string; rechazadas: number } | null;
};

/** Keeps the answers that this process counted, under the hour in which they are kept. What cannot be kept now is kept with the next. */
export async function keepAnswers(db: Db): Promise<void> {
  const taken = takeAnswers();
  const kinds = new Map(
    CONNECTIONS.all().flatMap(({ kind, names = [] }) => [kind, ...names].map((name) => [name, kind])),
  );
  const known = taken.flatMap(({ side, ...rest }) =>
    kinds.has(side) ? [{ connection: kinds.get(side)!, ...rest }] : [],
  );
  if (known.length === 0) return;
  try {
    await sql`
      insert into respuesta_lejana as r (connection, hora, ruta, contestadas, rechazadas)
      select connection, date_trunc('hour', now()), route, sum(answered), sum(refused)
      from jsonb_to_recordset(${JSON.stringify(known)}::jsonb) as one(connection text, route text, answered int, refused int)
      group by connection, route
      on conflict (connection, hora, ruta) do update
        set contestadas = r.contestadas + excluded.contestadas, rechazadas = r.rechazadas + excluded.rechazadas`.execute(
      db,
    );
  } catch (error) {
    giveBackAnswers(taken);
    throw error;
  }
}

/** Keeps the counted answers of this process each minute. `stop` keeps the last ones; a count is lost only with its process. */
export function startKeepingAnswers(db: Db, everyMs = KEEP_EVERY_MS): { stop(): Promise<void> } {
  const keep = () =>
    keepAnswers(db).catch((error: unknown) => log.warn('respuestas contadas sin guardar', { error: String(error) }));
  const timer = setInterval(() => void keep(), everyMs).unref();
  return {
    stop() {
      clearInterval(timer);
      return keep();
    },
  };
}

/** Counts the answers of each far side that answered in the last 24 hours. */
export async function countRechazadas(db: Db): Promise<Rechazadas[]> {
  const { rows } = await sql<Rechazadas>`
    with routes as (
      select connection, ruta, sum(contestadas)::int as contestadas, sum(rechazadas)::int as rechazadas
      from respuesta_lejana where hora > now() - make_interval(hours => ${HOURS}) group by connection, ruta)
    select connection, sum(contestadas)::int as contestadas, sum(rechazadas)::int as rechazadas,
      (jsonb_agg(jsonb_build_object('ruta', ruta, 'rechazadas', rechazadas) order by rechazadas desc, ruta)
        filter (where rechazadas > 0)) -> 0 as peor
    from routes group by connection order by connection`.execute(db);
  return rows;
}

/** Returns whether so many answers were refused that people are told, and the figure as the card of the far side shows it. */
export function judgeRechazadas({ contestadas, rechazadas, peor }: Rechazadas): { told: boolean; dicho: Seen } {
  const told = contestadas >= TOLD.answers && rechazadas >= contestadas * TOLD.share;
  const mas = peor ? ` Lo más rechazado: ${peor.ruta} (${peor.rechazadas}).` : '';
  const share = ((rechazadas / contestadas) * 100).toFixed(1);
  return {
    told,
    dicho: {
      tono: told ? 'aviso' : 'neutro',
      texto: `Rechazadas en ${HOURS} horas: ${rechazadas} de ${contestadas} llamadas (${share} %).${mas}`,
    },
  };
}
