import { sql } from 'kysely';
import { env } from '~/core/env.server';
import type { Rol } from '~/core/usuario';
import { PLAZO_DIAS } from '~/domain/personal/segundoFactor';

/** Roles that have to have a second factor outside the demo, where no setting says otherwise. */
export const POR_OMISION: readonly Rol[] = ['sa', 'admin'];

/**
 * Returns whether a role has to have a second factor: at once where the setting SEGUNDO_FACTOR names the role, after a grace where nobody set anything.
 * Null for a role that only may.
 */
export function obligacionOf(rol: Rol): 'ya' | 'conPlazo' | null {
  const { SEGUNDO_FACTOR, DEMO } = env();
  if (SEGUNDO_FACTOR !== undefined) return SEGUNDO_FACTOR.includes(rol) ? 'ya' : null;
  return DEMO !== '1' && POR_OMISION.includes(rol) ? 'conPlazo' : null;
}

/** SQL: the end of a person's grace, from the row of the grace. */
export const FIN_DEL_PLAZO = sql<Date | null>`plazo_segundo_factor.desde + make_interval(days => ${PLAZO_DIAS}::int)`;
