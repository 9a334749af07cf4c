import { sql } from 'kysely';
import type { Cola } from '~/platform/hoy/cola';
import { countInSql } from '~/platform/hoy/countCosas.server';
import { PLAZOS_DE_RECLAMO } from '../reclamo';

/**
 * Condition over `reclamo r` of a claim that waits for us: the claim is open, and the marketplace names us or gives us a day (`vence_en`) until which we
 * may act.
 */
export const NOS_TOCA = sql<boolean>`(r.estatus = 'abierto' and (r.responsable = 'vendedor' or r.vence_en is not null))`;
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
        'reclamos?ver=' || r.id as a, r.actualizado_en as desde, r.vence_en as vence from reclamo r where ${NOS_TOCA}`,
      PLAZOS_DE_RECLAMO,
      mirada,
    ),
};
