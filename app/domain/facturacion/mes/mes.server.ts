import { sql, type RawBuilder } from 'kysely';
import type { Money } from '~/core/money';
import { monthRange } from '~/core/time';
import type { Db, Trx } from '~db/client.server';
import { ESPERA_DECISION, MOTIVO_DE_EXCLUSION, SIN_DOCUMENTO } from '~/domain/facturacion/cfdi/facturables.server';
import { TASA_IVA, type PagoPorTasa } from '~/domain/facturacion/cfdi/importes';
import type { Mes } from './mes';

/**
 * The condition that an orden belongs to a month. A sale belongs to the month of its first orden, so a cart that crosses midnight of the
 * last day is not torn in two. An orden more than a day after the first of its cart was sold on its own day and belongs to that month, so
 * each orden has exactly one. The two can differ only within a day of the month's ends, so the cart is read only there.
 */
export function ofMes(mes: Mes): RawBuilder<boolean> {
  const { from, to } = monthRange(mes);
  const aDay = sql`interval '1 day'`;
  return sql<boolean>`(
    orden.fecha_creacion >= ${from} and orden.fecha_creacion < ${to}::timestamptz + ${aDay}
    and case
      when orden.pack_id is null
        or (orden.fecha_creacion >= ${from}::timestamptz + ${aDay} and orden.fecha_creacion < ${to})
      then orden.fecha_creacion < ${to}
      else (
        select case
          when orden.fecha_creacion > min(p.fecha_creacion) + ${aDay} then orden.fecha_creacion < ${to}
          else min(p.fecha_creacion) >= ${from} and min(p.fecha_creacion) < ${to} end
        from orden p where p.num_orden = orden.num_orden and p.market = orden.market
      ) end)`;
}

/** The condition of a sale for the month's global: paid, standing, ours to invoice and in no other document. Table: orden. */
export function porFacturar(mes: Mes): RawBuilder<boolean> {
  return sql<boolean>`(${ofMes(mes)} and ${MOTIVO_DE_EXCLUSION} is null and ${SIN_DOCUMENTO})`;
}

/** The condition that no credit note, stamped or on its way, gives the whole orden back from that factura. Table: orden. */
export const sinNota = (factura: string) =>
  sql<boolean>`not exists (select from nota_credito_orden n where n.factura_id = ${sql.ref(factura)}
    and n.orden_id = orden.id and not n.parcial)`;

/** The amount of an orden that notes of a part gave back from that factura, or are about to. Table: orden. */
export const acreditadoEnPartes = (factura: string) =>
  sql<Money>`coalesce((select sum(n.importe) from nota_credito_orden n where n.factura_id = ${sql.ref(factura)}
    and n.orden_id = orden.id and n.parcial), 0)`;

/**
 * The condition of a sale that was in a global and was invoiced to its customer later: the global owes its note. Tables: orden,
 * refacturacion, factura (the global).
 */
export function porNotaOfRefacturacion(mes: Mes): RawBuilder<boolean> {
  return sql<boolean>`(${ofMes(mes)} and refacturacion.factura_id is not null and factura.estatus = 'vigente'
    and ${sinNota('refacturacion.global_id')})`;
}

/**
 * The condition that a standing document owes a credit note for an orden that came back. A sale has two such documents while a replaced
 * factura is not cancelled. A global whose sale has the factura of its customer owes its note in the other table. A sale that the marketplace
 * paid us all the same owes none before somebody decides whose its money is. Tables: orden,
 * factura_orden, factura.
 */
const DEBE_NOTA = sql<boolean>`(factura.estatus = 'vigente' and ${sinNota('factura_orden.factura_id')}
  and not exists (select from refacturacion r where r.orden_id = factura_orden.orden_id
    and r.global_id = factura_orden.factura_id)
  and not ${ESPERA_DECISION})`;
/** The condition that an orden was cancelled or returned. Table: orden. */
export const VOLVIO = sql<boolean>`orden.clase in ('cancelada', 'devuelta')`;

/** The condition of a sale of the month that was invoiced and came back, once per document that owes its note. Tables: orden, factura_orden, factura. */
export function porNotaOfDevolucion(mes: Mes): RawBuilder<boolean> {
  return sql<boolean>`(${ofMes(mes)} and ${VOLVIO} and ${DEBE_NOTA})`;
}

/** The amount that a factura charges for an orden beyond its payment, notes of a part deducted. Tables: orden, factura_orden. */
export const COBRADO_DE_MAS = sql<Money>`(factura_orden.importe - orden.pagado_abs - ${acreditadoEnPartes('factura_orden.factura_id')})`;

/**
 * The condition of a sale of the month that stands, of which its marketplace gave back a part after the factura that holds it: the factura
 * owes a note of that part. The oldest facturas do not tell the amount of each orden and owe none here. Tables: orden, factura_orden, factura.
 */
export function porNotaParcial(mes: Mes): RawBuilder<boolean> {
  const { from, to } = monthRange(mes);
  // The few sales whose balance is open are known first: every document of the month would be read for them.
  return sql<boolean>`(orden.id = any(array(
      select l.orden_id from libro_venta l
      where l.diferencia > 0 and l.fecha >= ${from} and l.fecha < ${to}::timestamptz + interval '1 day'
    ))
    and ${ofMes(mes)} and orden.clase = 'normal' and orden.situacion = 'devueltaEnParte' and orden.pagado_abs > 0
    and factura.estatus = 'vigente' and ${sinNota('factura_orden.factura_id')}
    and exists (select from fiscal_claim c where c.orden_id = orden.id and c.factura_id = factura.id)
    and ${COBRADO_DE_MAS} > 0)`;
}

/** An expression over the documents that owe a note for an orden. Table: orden. */
export function overFacturas<T>(expression: RawBuilder<T>): RawBuilder<T> {
  return sql<T>`(select ${expression} from factura_orden join factura on factura.id = factura_orden.factura_id
    where factura_orden.orden_id = orden.id and ${DEBE_NOTA})`;
}

/** The condition of `porNotaOfDevolucion` for each orden once. Table: orden. */
export function devueltasConNota(mes: Mes): RawBuilder<boolean> {
  return sql<boolean>`(${ofMes(mes)} and ${VOLVIO} and exists ${overFacturas(sql``)})`;
}

/**
 * An amount of an orden without its VAT, six decimals. The few ordenes with an articulo of another rate are read line by line; the part
 * that lines do not explain is shipping, at the general rate.
 */
export function netoOf(importe: RawBuilder<Money>): RawBuilder<Money> {
  const general = sql`(1 + ${TASA_IVA}::numeric)`;
  return sql<Money>`round(case
    when orden.id in (select orden_id from articulo where tasa_iva <> ${TASA_IVA}::numeric)
    then (
      select coalesce(sum(a.importe / (1 + a.tasa_iva)), 0) + (${importe} - coalesce(sum(a.importe), 0)) / ${general}
      from articulo a where a.orden_id = orden.id
    )
    else ${importe} / ${general} end, 6)`;
}

/** The cost of an orden's articulos at other rates than the general one, by rate, for `porTasa`. Table: orden. */
export const OTRAS_TASAS = sql<PagoPorTasa['otras']>`coalesce((
    select jsonb_agg(jsonb_build_object('tasa', r.tasa_iva::text, 'importe', r.importe::text))
    from (
      select a.tasa_iva, sum(a.importe) as importe from articulo a
      where a.orden_id = orden.id and a.tasa_iva <> ${TASA_IVA}::numeric
      group by 1 order by 1
    ) r), '[]')`;

/** Sales that enter no global, for one reason. */
export type Excluidas = { motivo: string; ventas: number; ejemplos: string[] };

/** The order in which people are told the reasons. */
const ORDER_OF_MOTIVOS = [
  'dudosa',
  'enProceso',
  'sinPagar',
  'meliResale',
  'sinImporte',
  'cancelada',
  'devuelta',
  'facturada',
];

/** Counts the sales of a month that are in no global and would enter none now, by reason. Doubtful ones come first, with up to 20 numbers. */
export async function excluidasOfMes(db: Db | Trx, mes: Mes): Promise<Excluidas[]> {
  const { rows } = await sql<Excluidas>`
    with del_mes as (
      select orden.num_orden,
        coalesce(
          case
            when e.state in ('unknown', 'manual') then 'dudosa'
            when c.effect_id is not null and c.factura_id is null then 'enProceso'
            when c.factura_id is not null then 'facturada' end,
          ${MOTIVO_DE_EXCLUSION}) as motivo
      from orden
        left join fiscal_claim c on c.orden_id = orden.id
        left join effect e on e.id = c.effect_id and c.factura_id is null
      where ${ofMes(mes)}
    )
    select motivo, count(distinct num_orden)::int as ventas,
      case when motivo in ('dudosa', 'enProceso') then (array_agg(distinct num_orden))[1:20] else '{}' end as ejemplos
    from del_mes where motivo is not null group by motivo
    order by array_position(${ORDER_OF_MOTIVOS}::text[], motivo)`.execute(db);
  return rows;
}
