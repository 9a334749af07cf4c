import { sql, type RawBuilder } from 'kysely';
import type { Money } from '~/core/money';
import { monthRange } from '~/core/time';
import type { Db, Trx } from '~db/client.server';
import { TASA_IVA, type PagoPorTasa } from '~/domain/facturacion/cfdi/importes';
import type { Mes } from './mes';

/** Which sales of a month each table of 'Facturación general' holds. Conditions over `orden`, for lists and for the verbs that act on them. */

/**
 * A sale belongs to the month of its first orden: a cart that crosses midnight of the last day is not torn in two. An orden that came more
 * than a day after the first of its cart was sold on its own day: it belongs to that month, so that each orden has exactly one. Only within a
 * day of the month's ends can the two differ, so only there the cart is looked at.
 */
function ofMes(mes: Mes): RawBuilder<boolean> {
  const { from, to } = monthRange(mes);
  return sql<boolean>`(orden.fecha_creacion >= ${from} and orden.fecha_creacion < ${to}::timestamptz + interval '1 day'
    and case when orden.pack_id is null or (orden.fecha_creacion >= ${from}::timestamptz + interval '1 day' and orden.fecha_creacion < ${to}) then orden.fecha_creacion < ${to}
      else (select case when orden.fecha_creacion > min(p.fecha_creacion) + interval '1 day' then orden.fecha_creacion < ${to}
          else min(p.fecha_creacion) >= ${from} and min(p.fecha_creacion) < ${to} end
        from orden p where p.num_orden = orden.num_orden and p.market = orden.market) end)`;
}

/**
 * Why a sale without a document is not invoiced, in the order people are told; null when it can be (whyNotFacturable, in SQL). In the words of
 * the index of sales that can be (20261122_1340_situacion).
 */
const MOTIVO_DE_EXCLUSION = sql<string | null>`case
  when orden.clase = 'cancelada' then 'cancelada'
  when orden.clase = 'devuelta' then 'devuelta'
  when orden.meli_resale then 'meliResale'
  when orden.situacion not in ('pagada', 'devueltaEnParte', 'devuelta') then 'sinPagar'
  when orden.pagado_abs <= 0 then 'sinImporte' end`;

const SIN_DOCUMENTO = sql<boolean>`not exists (select from fiscal_claim c where c.orden_id = orden.id)`;

/** Sales for the month's global: paid, standing, ours to invoice and in no other document. */
export function porFacturar(mes: Mes): RawBuilder<boolean> {
  return sql<boolean>`(${ofMes(mes)} and ${MOTIVO_DE_EXCLUSION} is null and ${SIN_DOCUMENTO})`;
}

/** Of a living factura, and not given back by a credit note that is stamped or on its way. */
export const sinNota = (factura: string) =>
  sql<boolean>`not exists (select from nota_credito_orden n where n.factura_id = ${sql.ref(factura)} and n.orden_id = orden.id)`;

/** Invoiced in a global and later to the customer: the global owes them. Tables: orden, refacturacion, factura (the global). */
export function porNotaOfRefacturacion(mes: Mes): RawBuilder<boolean> {
  return sql<boolean>`(${ofMes(mes)} and refacturacion.factura_id is not null and factura.estatus = 'vigente' and ${sinNota('refacturacion.global_id')})`;
}

/**
 * Invoiced and later cancelled or returned, once per document that stands for it. There are two while a replaced factura is not cancelled. A global
 * whose customer has a factura owes its note in the other table. Tables: orden, factura_orden, factura.
 */
const DEBE_NOTA = sql<boolean>`(factura.estatus = 'vigente' and ${sinNota('factura_orden.factura_id')}
  and not exists (select from refacturacion r where r.orden_id = factura_orden.orden_id and r.global_id = factura_orden.factura_id))`;
export const VOLVIO = sql<boolean>`orden.clase in ('cancelada', 'devuelta')`;

export function porNotaOfDevolucion(mes: Mes): RawBuilder<boolean> {
  return sql<boolean>`(${ofMes(mes)} and ${VOLVIO} and ${DEBE_NOTA})`;
}

/** What the documents of an orden that came back owe of it. */
export function deSusFacturas<T>(expression: RawBuilder<T>): RawBuilder<T> {
  return sql<T>`(select ${expression} from factura_orden join factura on factura.id = factura_orden.factura_id where factura_orden.orden_id = orden.id and ${DEBE_NOTA})`;
}

/** The same sales, each orden once. Table: orden. */
export function devueltasConNota(mes: Mes): RawBuilder<boolean> {
  return sql<boolean>`(${ofMes(mes)} and ${VOLVIO} and exists ${deSusFacturas(sql``)})`;
}

/**
 * Net of VAT of an amount of an orden. The few ordenes with an articulo of another rate are read line by line. What lines do not explain is
 * shipping, at the general rate.
 */
export function netoOf(importe: RawBuilder<Money>): RawBuilder<Money> {
  const general = sql`(1 + ${TASA_IVA}::numeric)`;
  return sql<Money>`round(case when orden.id in (select orden_id from articulo where tasa_iva <> ${TASA_IVA}::numeric)
    then (select coalesce(sum(a.importe / (1 + a.tasa_iva)), 0) + (${importe} - coalesce(sum(a.importe), 0)) / ${general} from articulo a where a.orden_id = orden.id)
    else ${importe} / ${general} end, 6)`;
}

/** What the articulos of an orden at other rates cost, by rate, for porTasa. */
export const OTRAS_TASAS = sql<
  PagoPorTasa['otras']
>`coalesce((select jsonb_agg(jsonb_build_object('tasa', r.tasa_iva::text, 'importe', r.importe::text)) from (
        select a.tasa_iva, sum(a.importe) as importe from articulo a where a.orden_id = orden.id and a.tasa_iva <> ${TASA_IVA}::numeric group by 1 order by 1) r), '[]')`;

export type Excluidas = { motivo: string; ventas: number; ejemplos: string[] };

/** Sales of the month that are in no global and would enter none now, by reason; the doubtful first, with their numbers. */
export async function excluidasOfMes(db: Db | Trx, mes: Mes): Promise<Excluidas[]> {
  const { rows } = await sql<Excluidas>`
    with del_mes as (
      select orden.num_orden, coalesce(
        case when e.state in ('unknown', 'manual') then 'dudosa' when c.effect_id is not null and c.factura_id is null then 'enProceso' when c.factura_id is not null then 'facturada' end,
        ${MOTIVO_DE_EXCLUSION}) as motivo
      from orden left join fiscal_claim c on c.orden_id = orden.id
        left join effect e on e.id = c.effect_id and c.factura_id is null
      where ${ofMes(mes)}
    )
    select motivo, count(distinct num_orden)::int as ventas,
      case when motivo in ('dudosa', 'enProceso') then (array_agg(distinct num_orden))[1:20] else '{}' end as ejemplos
    from del_mes where motivo is not null group by motivo
    order by array_position(array['dudosa', 'enProceso', 'sinPagar', 'meliResale', 'sinImporte', 'cancelada', 'devuelta', 'facturada'], motivo)`.execute(
    db,
  );
  return rows;
}
