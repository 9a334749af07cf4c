import { sql } from 'kysely';
import type { Trx } from '~db/client.server';
import { NUMERO_CANCELADO } from './globalEnPac.server';
import type { Mes } from './mes';
import type { GlobalRequest } from './globalRequest';
import { stampGlobal } from './stampGlobal.server';

/**
 * The numbers of a month's globals. A number is the reference the PAC keeps and refuses to see twice, so it is given away once: one whose
 * stamp did not end in a CFDI of ours comes first, and what may have been stamped under it all the same is met there and not stamped again.
 */
export type Numeros = {
  /** With a send that nobody knows the end of, whatever people decided later: they keep the sales they were asked with. */
  dudosos: { numero: number; ventas: GlobalRequest['ventas'] }[];
  /** After a clear no, or withdrawn. */
  libres: number[];
  siguiente: number;
};

export async function numerosDe(trx: Trx, mes: Mes): Promise<Numeros> {
  const { rows } = await sql<{ numero: number; libre: boolean; ventas: GlobalRequest['ventas'] | null }>`
    with ultimo as (
      select distinct on (key) key, state, detail from effect where type = ${stampGlobal.type} and key like ${`global:${mes}:%`} order by key, id desc
    )
    select split_part(u.key, ':', 3)::int as numero, u.state in ('refused', 'cancelled') and coalesce(u.detail, '') <> ${NUMERO_CANCELADO} as libre, dudoso.ventas
    from ultimo u left join lateral (
      select e.request -> 'ventas' as ventas from effect e
      where e.type = ${stampGlobal.type} and e.key = u.key and e.state in ('refused', 'cancelled') and exists (
        select from effect_attempt s where s.effect_id = e.id and s.kind = 'send' and s.phase = 'started' and not exists (
          select from effect_attempt a where a.effect_id = e.id and a.owner = s.owner and a.phase = 'ended' and a.outcome in ('not-sent', 'account', 'refused')))
      order by e.id desc limit 1
    ) dudoso on true
    order by numero`.execute(trx);
  const libres = rows.filter(({ libre }) => libre);
  return {
    dudosos: libres.flatMap(({ numero, ventas }) => (ventas ? [{ numero, ventas }] : [])),
    libres: libres.flatMap(({ numero, ventas }) => (ventas ? [] : [numero])),
    siguiente: Math.max(0, ...rows.map(({ numero }) => numero)) + 1,
  };
}
