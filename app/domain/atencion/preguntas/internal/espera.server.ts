import { sql } from 'kysely';
import { LIVE_STATES } from '~/platform/effects/effects.server';

/** SQL: whether the question of the alias `p` waits for an answer. One whose answer is on its way waits for nobody. */
export const espera = (p: 'p' | 'pregunta') => sql<boolean>`(${sql.ref(`${p}.estatus`)} = 'pendiente' and not exists (
  select from effect_subject s join effect e on e.id = s.effect_id
  where s.entidad = 'pregunta' and s.entidad_id = ${sql.ref(`${p}.id`)}::text
    and e.state in (${sql.join(LIVE_STATES.map((state) => sql.lit(state)))})))`;
