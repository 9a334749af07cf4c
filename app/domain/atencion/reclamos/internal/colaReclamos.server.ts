import { sql } from 'kysely';
import type { Cola } from '~/platform/hoy/cola';
import { countInSql } from '~/platform/hoy/countCosas.server';
import { mensajesDeReclamo, resoluciones } from '../actuarEnReclamo.server';
import { PLAZOS_DE_RECLAMO } from '../reclamo';

/** The kinds of effects with which our turn is done. */
const ACTOS = [...mensajesDeReclamo.all(), ...resoluciones.all()].map(({ type }) => type);

/**
 * SQL over a claim, by the name of its table in the query: it waits for us. The claim is open, and the marketplace names us or gives us a day (`vence_en`)
 * until which we may act. While what we decided or wrote is on its way, nothing waits; an answer that was lost leaves the claim with us.
 */
export const nosToca = (tabla: 'r' | 'reclamo') => {
  const at = (columna: string) => sql.ref(`${tabla}.${columna}`);
  return sql<boolean>`(${at('estatus')} = 'abierto' and (${at('responsable')} = 'vendedor' or ${at('venceEn')} is not null)
    and not exists (select from effect_subject s join effect e on e.id = s.effect_id
      where s.entidad = 'reclamo' and s.entidad_id = ${at('id')}::text and e.state in ('queued', 'sending') and e.type = any(${[...ACTOS]}::text[])))`;
};
/** Id of one wait of `reclamo r`, for its card on Hoy. A claim that gets another day is another card, with no owner and no delay yet. */
export const ID_DE_ESPERA = sql<string>`r.id::text || ':' || coalesce(extract(epoch from r.vence_en)::bigint::text, '')`;

/** The queue of claims that wait for us, by the time left of their day. */
export const reclamosPorAtender: Cola = {
  clave: 'reclamos',
  titulo: 'Reclamos',
  clase: 'plazo',
  icono: 'reclamo',
  pantallas: ['reclamos'],
  ver: 'Ver los reclamos que nos tocan',
  vistas: { reclamos: '?vista=nuestros&cuales=nuestros' },
  plazos: PLAZOS_DE_RECLAMO,
  necesita: 'mensajes',
  mira: (db, mirada) =>
    countInSql(
      db,
      sql`select ${ID_DE_ESPERA} as id, coalesce(r.titulo, 'Reclamo ' || r.market_id) as titulo, r.market_id || coalesce(' · ' || r.orden_market_id, '') as detalle,
        'reclamos?ver=' || r.id as a, r.actualizado_en as desde, r.vence_en as vence from reclamo r where ${nosToca('r')}`,
      PLAZOS_DE_RECLAMO,
      mirada,
    ),
};
