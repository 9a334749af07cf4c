import { sql } from 'kysely';
import type { Money } from '~/core/money';

/** The money of a sale that a tax authority sees too, as its ledger and its settlement tell it. */
export type RetenidoDeVenta = {
  /** What was withheld of it, estimates included. */
  retenido: Money;
  /** The taxes of `retenido` apart; null while no settlement tells which tax it was. */
  iva: Money | null;
  isr: Money | null;
  /** What went back to its buyer. A sale that was cancelled or returned before its settlement gives back what was paid. */
  devuelto: Money;
};

/**
 * SQL, a lateral query over `orden` and its `libro_venta`: the columns of `RetenidoDeVenta`. What a marketplace withholds by the month (`retencionDelMes`)
 * is ISR: no other tax is charged that way.
 */
export const RETENIDO_DE_VENTA = sql`(
  select s.retenido,
    case when s.sabido then -coalesce(c.r_iva, 0) end as iva,
    case when s.sabido then -coalesce(c.r_isr, 0) + s.del_mes end as isr,
    case when libro_venta.liquidada then s.devuelto when orden.clase in ('cancelada', 'devuelta') then orden.pagado_abs else 0 end as devuelto
  from (
    select coalesce(sum(case when a.a = 'retenido' then a.importe when a.de = 'retenido' then -a.importe end), 0) as retenido,
      coalesce(sum(a.importe) filter (where a.renglon = 'retencionDelMes'), 0) as del_mes,
      coalesce(sum(case when a.a = 'venta' then a.importe else -a.importe end) filter (where a.renglon = 'devolucion'), 0) as devuelto
    from asiento a where a.orden_id = orden.id and a.renglon in ('retencion', 'retencionDelMes', 'devolucion')
  ) m
  left join conciliacion c on c.orden_id = orden.id and libro_venta.liquidada
  cross join lateral (
    select m.*, m.retenido = 0 and not libro_venta.estima && '{retencion}' and not libro_venta.falta && '{retencion,calculo}'
      or (libro_venta.liquidada and coalesce(c.r_retencion, 0) = 0) as sabido
  ) s
)`;
