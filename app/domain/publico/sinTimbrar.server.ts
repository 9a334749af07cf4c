import { sql } from 'kysely';
import { explainPacCode } from '~/domain/cfdi/explainPac';
import type { Db } from '~db/client.server';
import { isDelCliente } from './fallaDeEmpresa.server';

export type SinTimbrar = { effectId: string; numOrden: string; fecha: Date; motivo: string };

const DIAS = 30;

/**
 * What customers asked for and the PAC refused for something of the company's: they read that it is being seen to, and here is who sees to it. Over once the
 * sale is invoiced or asked for again. Newest first.
 */
export async function listSinTimbrar(db: Db): Promise<SinTimbrar[]> {
  const { rows } = await sql<{
    effectId: string;
    numOrden: string;
    fecha: Date;
    reason: string;
    detail: string | null;
  }>`
    select e.id as effect_id, split_part(v.entidad_id, ':', 2) as num_orden, e.settled_at as fecha, coalesce(e.reason, '') as reason, e.detail
    from effect e join effect_subject v on v.effect_id = e.id and v.entidad = 'venta'
    where e.type = 'cfdi.stamp' and e.state = 'refused' and e.usuario_id is null and e.created_at > now() - make_interval(days => ${DIAS})
      and not exists (select from effect_subject later join effect newer on newer.id = later.effect_id and newer.type = e.type
        where later.entidad = 'venta' and later.entidad_id = v.entidad_id and later.effect_id > e.id)
      and not exists (select from effect_subject o join fiscal_claim c on c.orden_id = o.entidad_id::uuid and c.kind = 'individual'
        where o.effect_id = e.id and o.entidad = 'orden')
    order by e.id desc limit 200`.execute(db);
  return rows.flatMap(({ effectId, numOrden, fecha, reason, detail }) => {
    const { campo, texto } = explainPacCode((detail ?? '').split(' · ')[0] || undefined);
    return isDelCliente(campo)
      ? []
      : [{ effectId, numOrden, fecha, motivo: [campo && texto, reason].filter(Boolean).join(' ') }];
  });
}
