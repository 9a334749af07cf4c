import { sql } from 'kysely';
import { explainPacCode } from '~/domain/facturacion/cfdi/explainPac';
import type { Enlace } from '~/domain/facturacion/enlaces/enlaces.server';
import type { Db } from '~db/client.server';
import { isOfCliente } from './internal/deEmpresa';

/** A sale whose customer was turned away. `venta` is its marketplace and number, 'ml:2000…'. */
export type SinTimbrar = {
  venta: string;
  numOrden: string;
  fecha: Date;
  motivo: string;
  /** The stamp that was refused; null when it was refused here before anything left. */
  effectId: string | null;
};

const DIAS = 30;
const MAX = 200;

/** Notes that a customer was turned away before anything reached the PAC. A sale has one row, however often its page is opened. */
export async function noteSinTimbrar(
  db: Db,
  { market, numOrden }: Pick<Enlace, 'market' | 'numOrden'>,
  motivo: string,
): Promise<void> {
  await db
    .insertInto('sinTimbrar')
    .values({ market, numOrden, motivo })
    .onConflict((on) => on.columns(['market', 'numOrden']).doUpdateSet({ motivo, fecha: sql`now()` }))
    .execute();
}

/**
 * The sales of the last 30 days that customers could not invoice for a fault of the company's, whether we or the PAC refused. Customers
 * read that it is being seen to, and staff see to it from this list. A sale leaves it once it is invoiced or asked for again. Newest first.
 */
export async function listSinTimbrar(db: Db): Promise<SinTimbrar[]> {
  const [rechazadas, negadas] = await Promise.all([listRefusedByPac(db), listRefusedHere(db)]);
  const deAntes = [...rechazadas, ...negadas].sort((a, b) => a.fecha.getTime() - b.fecha.getTime());
  return [...new Map(deAntes.map((una) => [una.venta, una])).values()].reverse().slice(0, MAX);
}

async function listRefusedByPac(db: Db): Promise<SinTimbrar[]> {
  const { rows } = await sql<
    Omit<SinTimbrar, 'motivo' | 'effectId'> & { effectId: string; reason: string; detail: string | null }
  >`
    select v.entidad_id as venta, split_part(v.entidad_id, ':', 2) as num_orden, e.settled_at as fecha,
      coalesce(e.reason, '') as reason, e.detail, e.id as effect_id
    from effect e join effect_subject v on v.effect_id = e.id and v.entidad = 'venta'
    where e.type = 'cfdi.stamp' and e.state = 'refused' and e.usuario_id is null
      and e.created_at > now() - make_interval(days => ${DIAS})
      and not exists (
        select from effect_subject later join effect newer on newer.id = later.effect_id and newer.type = e.type
        where later.entidad = 'venta' and later.entidad_id = v.entidad_id and later.effect_id > e.id
      )
      and not exists (
        select from effect_subject o join fiscal_claim c on c.orden_id = o.entidad_id::uuid and c.kind = 'individual'
        where o.effect_id = e.id and o.entidad = 'orden'
      )
    order by e.id desc limit ${MAX}`.execute(db);
  return rows.flatMap(({ reason, detail, ...una }) => {
    const { campo, texto } = explainPacCode((detail ?? '').split(' · ')[0] || undefined);
    return isOfCliente(campo) ? [] : [{ ...una, motivo: [campo && texto, reason].filter(Boolean).join(' ') }];
  });
}

async function listRefusedHere(db: Db): Promise<SinTimbrar[]> {
  const { rows } = await sql<SinTimbrar>`
    select s.market || ':' || s.num_orden as venta, s.num_orden, s.fecha, s.motivo, null as effect_id from sin_timbrar s
    where s.fecha > now() - make_interval(days => ${DIAS})
      and not exists (select from effect_subject v join effect e on e.id = v.effect_id and e.type = 'cfdi.stamp'
        where v.entidad = 'venta' and v.entidad_id = s.market || ':' || s.num_orden and e.created_at > s.fecha)
      and not exists (select from orden o join fiscal_claim c on c.orden_id = o.id and c.kind = 'individual'
        where o.num_orden = s.num_orden and o.market = s.market)
    order by s.fecha desc limit ${MAX}`.execute(db);
  return rows;
}
