import { sql } from 'kysely';
import type { Db } from '~db/client.server';
import { askedAgain } from '~/platform/effects/subjects.server';
import { messageEnlace, TEMPORAL } from './messageEnlace.server';

export type MensajeSinSalir = {
  numOrden: string;
  fecha: Date;
  motivo: string;
  automatico: boolean;
  /** The marketplace may let it pass later. */ temporal: boolean;
};

const DIAS = 30;

/**
 * Sales whose message with the link was refused and whose customer was left without one: nobody made another link since, and nobody invoiced the
 * sale. Newest first.
 */
export async function listMensajesSinSalir(db: Db): Promise<MensajeSinSalir[]> {
  const { rows } = await sql<MensajeSinSalir>`
    select suyo.num_orden, e.settled_at as fecha, coalesce(e.reason, '') as motivo, e.usuario_id is null as automatico, e.detail is not distinct from ${TEMPORAL} as temporal
    from effect e join effect_subject s on s.effect_id = e.id and s.entidad = 'enlace' join enlace suyo on suyo.id = s.entidad_id::uuid
    where e.type = ${messageEnlace.type} and e.state = 'refused' and e.created_at > now() - make_interval(days => ${DIAS})
      and not ${askedAgain('e')}
      and not exists (select from enlace l where l.market = suyo.market and l.num_orden = suyo.num_orden and l.proposito = 'facturacion' and l.revocado_en is null and l.creado_en > e.created_at)
      and not exists (select from orden o join fiscal_claim c on c.orden_id = o.id where o.market = suyo.market and o.num_orden = suyo.num_orden and c.kind = 'individual')
      and exists (select from orden o where o.market = suyo.market and o.num_orden = suyo.num_orden and o.clase in ('normal', 'invalida'))
    order by e.id desc limit 200`.execute(db);
  return rows;
}
