import { sql, type RawBuilder } from 'kysely';
import type { Db, Trx } from '~db/client.server';
import { DIAS_SIN_NOTICIA, DIAS_SIN_RESPUESTA } from './cancelacion';
import { askedAgain } from '~/platform/effects/subjects.server';

/**
 * The other standing facturas of the sales of a `factura` row, as a `from` with `otra`. A sale has two when a receiver, or the SAT, did not
 * let the replaced one be cancelled. Claims do not show it, since the new one holds the sale. A factura whose whole sale a credit note took
 * back charges nothing and is left out.
 */
export const otrasVigentes = (
  factura: string,
) => sql`from factura_orden a join factura_orden b on b.orden_id = a.orden_id and b.factura_id <> a.factura_id
    join factura otra on otra.id = b.factura_id and otra.tipo = 'individual' and otra.estatus = 'vigente'
  where a.factura_id = ${sql.ref(`${factura}.id`)}
    and ${sql.ref(`${factura}.tipo`)} = 'individual' and ${sql.ref(`${factura}.estatus`)} = 'vigente'
    and not exists (
      select from nota_credito_orden n where n.orden_id = a.orden_id and n.factura_id in (a.factura_id, b.factura_id) and not n.parcial
    )`;

/** A column with the folio of the other standing factura of a `factura` row; null nearly always. */
export function folioOfOtraVigente(factura: string): RawBuilder<string | null> {
  return sql<
    string | null
  >`(select otra.serie || '-' || otra.folio ${otrasVigentes(factura)} order by otra.fecha_timbrado limit 1)`;
}

/** Another standing factura of the same sale. */
export type OtraVigente = {
  id: string;
  folio: string;
  /** Whether the factura that was asked about is the older one, which had to be cancelled. */ sobra: boolean;
};

/** The other standing factura of the same sale; null when there is none. */
export async function otraVigenteOf(db: Db | Trx, facturaId: string): Promise<OtraVigente | null> {
  const { rows } = await sql<OtraVigente>`
    select otra.id, otra.serie || '-' || otra.folio as folio,
      factura.fecha_timbrado <= otra.fecha_timbrado and factura.id < otra.id as sobra
    from factura cross join lateral (
      select otra.* ${otrasVigentes('factura')} order by otra.fecha_timbrado limit 1
    ) otra
    where factura.id = ${facturaId}`.execute(db);
  return rows[0] ?? null;
}

/**
 * The reason a correction stays half done until somebody acts.
 * `dosVigentes`: the factura was replaced and still stands. `sinEnviar`: its cancellation has not left. `sinNoticia`: the SAT knows nothing of the request.
 * `sinRespuesta`: its receiver's time is over. `sinCorregir`: the PAC did not stamp its substitute. `sinFactura`: neither, and the factura was cancelled.
 */
export type QueFalta = 'dosVigentes' | 'sinEnviar' | 'sinNoticia' | 'sinRespuesta' | 'sinCorregir' | 'sinFactura';

/** A factura whose correction waits for a person. */
export type PorAtender = {
  id: string;
  folio: string;
  motivo: QueFalta;
  desde: Date;
  /** Folio of the factura that stays, of two that stand. */
  otra: string | null;
  /** The words of the PAC or the SAT. */
  detalle: string | null;
  /** The draft in which the substitute is mended. */
  borrador: string | null;
};

/** Most rows of the notice; more would be a list. */
const MOST = 20;
/** Hours after which a request that has not left waits for something else: sending takes seconds. */
const HORAS_SIN_ENVIAR = 1;
/** Days after which a refusal is history; its draft may still be opened by its sale. */
const DIAS_DE_RECHAZO = 30;

const waiting = (days: number) => sql`make_interval(days => ${days})`;
const sinNoticia = sql`c.revisada_en > coalesce(c.vista_en, c.pedida_en) + ${waiting(DIAS_SIN_NOTICIA)}`;

/**
 * Oldest first. Each part reads few rows by an index of its own, however many facturas there are: of those that were replaced, the ones whose
 * cancellation was rejected; of requests, the open ones; of stamps that replace a factura, those of a month (ids of effects grow with time).
 */
export async function facturasPorAtender(db: Db): Promise<PorAtender[]> {
  const { rows } = await sql<PorAtender>`
    with dos_vigentes as (
      select vieja.id, vieja.serie || '-' || vieja.folio as folio, 'dosVigentes' as motivo, nueva.fecha_timbrado as desde,
        nueva.serie || '-' || nueva.folio as otra, c.respuesta as detalle, null::uuid as borrador
      from factura vieja
        cross join lateral (
          select respuesta from cancelacion where factura_id = vieja.id order by id desc limit 1
        ) c
        cross join lateral (
          select otra.* ${otrasVigentes('vieja')}
            and otra.sustituye_id is not null and otra.fecha_timbrado >= vieja.fecha_timbrado and otra.id > vieja.id
          order by otra.fecha_timbrado limit 1
        ) nueva
      where vieja.estatus = 'vigente' and vieja.rechazada_en is not null
    ), sin_enviar as (
      select f.id, f.serie || '-' || f.folio as folio, 'sinEnviar' as motivo, c.pedida_en as desde,
        s.serie || '-' || s.folio as otra, e.reason as detalle, null::uuid as borrador
      from cancelacion c
        join factura f on f.id = c.factura_id
        join effect e on e.id = c.effect_id and e.state = 'queued'
        left join factura s on s.id = c.sustituto_id
      where c.estado = 'solicitada' and c.pedida_en < now() - make_interval(hours => ${HORAS_SIN_ENVIAR})
    ), en_proceso as (
      select f.id, f.serie || '-' || f.folio as folio,
        case when ${sinNoticia} then 'sinNoticia' else 'sinRespuesta' end as motivo, c.pedida_en as desde,
        s.serie || '-' || s.folio as otra, c.respuesta as detalle, null::uuid as borrador
      from cancelacion c
        join factura f on f.id = c.factura_id
        left join factura s on s.id = c.sustituto_id
      where c.estado = 'enProceso' and (${sinNoticia} or c.pedida_en < now() - ${waiting(DIAS_SIN_RESPUESTA)})
    ), sin_sustituta as (
      select vieja.id, vieja.serie || '-' || vieja.folio as folio,
        case vieja.estatus when 'cancelada' then 'sinFactura' else 'sinCorregir' end as motivo, e.created_at as desde,
        null as otra, e.reason as detalle, d.id as borrador
      from effect_subject s
        cross join lateral (
          select id, created_at, reason from effect e
          where e.id = s.effect_id and e.state = 'refused'
            and e.created_at > now() - ${waiting(DIAS_DE_RECHAZO)} and not ${askedAgain('e')} offset 0
        ) e
        join factura vieja on vieja.id = s.entidad_id::uuid
        left join lateral (
          select id from factura_draft where sustituye_id = vieja.id and (effect_id = e.id or effect_id is null)
          order by effect_id nulls last limit 1
        ) d on true
        left join lateral (
          select true as viva from factura where sustituye_id = vieja.id and estatus <> 'cancelada' limit 1
        ) sustituta on true
        left join lateral (
          select bool_or(o.clase not in ('cancelada', 'devuelta')) as facturable, bool_or(c.orden_id is not null) as tomada
          from factura_orden fo
            join orden o on o.id = fo.orden_id
            left join fiscal_claim c on c.orden_id = fo.orden_id
          where fo.factura_id = vieja.id
        ) v on true
      where s.entidad = 'sustituida' and s.effect_id > (select uuidv7(-${waiting(DIAS_DE_RECHAZO + 1)}))
        and case vieja.estatus
          when 'vigente' then d.id is not null and sustituta.viva is null
          when 'cancelada' then v.facturable and not v.tomada
          else false end
    )
    select * from dos_vigentes
    union all select * from sin_enviar
    union all select * from en_proceso
    union all select * from sin_sustituta
    order by desde, id limit ${MOST}`.execute(db);
  return rows;
}
