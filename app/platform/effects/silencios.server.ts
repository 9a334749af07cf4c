import { sql } from 'kysely';
import type { Seen } from '~/platform/connections/definition';
import type { Db } from '~db/client.server';
import { withoutAnswer } from './attempts.server';

const DIAS = 30;

/** What came of the effects of a far side of which a send got no answer, in the last thirty days. Times are from the send until it was seen there. */
export type Silencio = {
  connection: string;
  n: number;
  llegaron: number;
  medianaS: number | null;
  maximoS: number | null;
};

/**
 * Counts, for each far side, the effects of which a send got no answer, how many of them had arrived all the same, and when they were seen there. The
 * times of the late looks are judged by it.
 */
export async function countSilencios(db: Db): Promise<Silencio[]> {
  const { rows } = await sql<Silencio>`
    with silent as (
      select effect.id, effect.connection, (select min(sent.at) ${withoutAnswer('effect.id')}) as desde
      from effect
      -- An id begins with its instant, so the key finds the newest.
      where effect.id >= (lpad(to_hex((extract(epoch from now() - make_interval(days => ${DIAS})) * 1000)::bigint), 12, '0')
          || '00000000000000000000')::uuid
        and (effect.unknown_at is not null or effect.late_evidence is not null))
    select silent.connection, count(*)::int as n, count(seen.at)::int as llegaron,
      (percentile_cont(0.5) within group (order by extract(epoch from seen.at - silent.desde)))::float8 as mediana_s,
      max(extract(epoch from seen.at - silent.desde))::float8 as maximo_s
    from silent cross join lateral (
      select min(told.at) as at from effect_attempt told
      where told.effect_id = silent.id and told.kind in ('find', 'person') and told.outcome = 'found'
        and told.at >= silent.desde) seen
    where silent.desde is not null
    group by silent.connection order by silent.connection`.execute(db);
  return rows;
}

/** Returns the figure of a far side as its card shows it. */
export function silencioDicho({ n, llegaron, medianaS, maximoS }: Silencio): Seen {
  const deCien = Math.round((llegaron / n) * 100);
  const cuando =
    medianaS === null || maximoS === null
      ? ''
      : `, la mitad en ${enWords(medianaS)} y la última en ${enWords(maximoS)}`;
  return {
    tono: 'neutro',
    texto: `Sin respuesta en ${DIAS} días: ${n}. De 100, ${deCien} sí llegaron${cuando}.`,
  };
}

const enWords = (seconds: number) =>
  seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;
