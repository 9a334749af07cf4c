import { sql } from 'kysely';
import { mayHaveArrived } from '~/platform/effects/attempts.server';
import type { Trx } from '~db/client.server';
import { NUMERO_CANCELADO } from './globalEnPac.server';
import type { Mes } from '../mes';

/**
 * The numbers of a month's globals. A number is part of the reference that the PAC keeps and refuses to see twice. A number whose stamp
 * ended without a CFDI of ours is given again first: a CFDI that may have been stamped under it is then found, and not stamped again.
 */
export type Numeros = {
  /** Numbers with a send whose outcome nobody knows, whatever people decided later. Each keeps the sales of its request. */
  dudosos: { numero: number; ordenIds: string[] }[];
  /** Numbers that are free after a clear no, or after a request was taken back. */
  libres: number[];
  /** The first number that was never used. */
  siguiente: number;
};

/** Reads the numbers of a month. The caller holds the month's lock. */
export async function numerosOf(trx: Trx, mes: Mes): Promise<Numeros> {
  const { rows } = await sql<{ numero: number; libre: boolean; ordenIds: string[] | null }>`
    with ultimo as (
      select distinct on (n.numero) n.numero, e.state, e.detail
      from global_numero n join effect e on e.id = n.effect_id
      where n.mes = ${mes}
      order by n.numero, n.effect_id desc
    )
    select u.numero, dudoso.orden_ids,
      u.state in ('refused', 'cancelled') and coalesce(u.detail, '') <> ${NUMERO_CANCELADO} as libre
    from ultimo u left join lateral (
      select (
        select coalesce(array_agg(s.entidad_id), '{}') from effect_subject s
        where s.effect_id = e.id and s.entidad = 'orden'
      ) as orden_ids
      from global_numero n join effect e on e.id = n.effect_id
      where n.mes = ${mes} and n.numero = u.numero
        and e.state in ('refused', 'cancelled') and ${mayHaveArrived('e.id')}
      order by n.effect_id desc limit 1
    ) dudoso on true
    order by u.numero`.execute(trx);
  const libres = rows.filter(({ libre }) => libre);
  return {
    dudosos: libres.flatMap(({ numero, ordenIds }) => (ordenIds ? [{ numero, ordenIds }] : [])),
    libres: libres.flatMap(({ numero, ordenIds }) => (ordenIds ? [] : [numero])),
    siguiente: Math.max(0, ...rows.map(({ numero }) => numero)) + 1,
  };
}
