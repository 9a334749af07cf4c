import { sql } from 'kysely';
import type { Money } from '~/core/money';
import { civilDay, ZONA_HORARIA } from '~/core/time';
import type { Db, Trx } from '~db/client.server';

/** Day of the following month until which a supplier has to issue the complement of a payment (RMF 2.7.1.32). */
const DIA_LEGAL = 5;

/**
 * What a payment complement and our payments do not say alike.
 * `sinFactura`: it names a document that is of no sale here. `sinPago`: it says that more was paid than is registered here. `faltaComplemento`: a PPD invoice was paid
 * and its complement did not come by the legal day. `otroSaldo`: both say that the same was paid, and the supplier still asks for another amount.
 */
type MotivoDeComplemento = keyof typeof MOTIVOS;

/** The reasons as people read them, each with the next step. */
const MOTIVOS = {
  sinFactura: { label: 'Su factura no está en ninguna orden', remedio: 'Subir o repartir su XML' },
  sinPago: { label: 'El proveedor dice que se le pagó más', remedio: 'Registrar el pago o preguntarle' },
  faltaComplemento: { label: 'Pagada y sin complemento de pago', remedio: 'Pedir el complemento al proveedor' },
  otroSaldo: { label: 'El proveedor dice otro saldo', remedio: 'Pedirle la nota o el pago que falta aquí' },
} as const;

export type DeComplemento = {
  motivo: MotivoDeComplemento;
  porQue: string;
  remedio: string;
  /** Null for an issuer that is no supplier here. */
  proveedor: string | null;
  label: string;
  uuid: string;
  folio: string;
  /** What the supplier says: paid, or in `otroSaldo` the balance. Null without a complement. */
  dice: Money | null;
  /** The same as our payments and notes tell it; null where the document is not here. */
  aqui: Money | null;
  /** Day since which it waits, 'YYYY-MM-DD'. */
  desde: string;
};

/**
 * Returns what payment complements and our payments do not say alike, oldest first: of one supplier, or of all. Documents in other currencies are not compared,
 * since each side changes them at a rate of its own.
 */
export async function readComplementos(
  db: Db | Trx,
  { proveedor = null, ahora = new Date() }: { proveedor?: string | null; ahora?: Date } = {},
): Promise<DeComplemento[]> {
  const { rows } = await sql<Omit<DeComplemento, 'porQue' | 'remedio'>>`
    with dicho as (
      select d.uuid, max(c.emisor_rfc) as rfc, max(c.emisor_nombre) as nombre, sum(d.pagado) as pagado, max(d.folio) as folio,
        (array_agg(d.insoluto order by d.fecha desc, d.parcialidad desc))[1] as insoluto, min(d.fecha) as desde, bool_and(d.moneda = 'MXN') as en_pesos
      from proveedor_docto d join proveedor_cfdi c on c.id = d.cfdi_id
      where c.descartado_en is null
      group by d.uuid
    ), documento as (
      select c.id, c.uuid, c.folio, c.emisor_rfc, c.metodo_pago, c.total, f.proveedor, f.pagada, f.falta, f.repartido, f.compensada
      from proveedor_cfdi c cross join lateral (
        select min(f.proveedor) as proveedor, sum(f.pagada) as pagada, sum(f.monto - f.pagada - f.acreditada) as falta, sum(f.monto) as repartido,
          coalesce(sum((select sum(u.importe) from proveedor_nota_uso u where u.factura_id = f.id)), 0) as compensada
        from proveedor_factura f where f.cfdi_id = c.id
      ) f
      where c.tipo = 'I' and f.repartido is not null and (c.metodo_pago = 'PPD' or c.uuid in (select uuid from dicho))
        and (c.uuid in (select uuid from dicho) or (c.metodo_pago = 'PPD' and f.pagada > 0))
    ), transferido as (
      -- What was paid of each document with a legal day that has passed.
      select f.cfdi_id, sum(a.importe) as vencido, min(p.dia) as desde
      from pago_aplicado(array(
          select po.pago_id from documento d left join dicho using (uuid)
            join proveedor_factura f on f.cfdi_id = d.id join pago_orden po on po.orden_id = f.orden_id
          where d.metodo_pago = 'PPD' and coalesce(dicho.pagado, 0) < d.pagada group by 1)) a
        join proveedor_factura f on f.id = a.factura_id
        join lateral (select coalesce(pago.fecha, (pago.creado_en at time zone ${ZONA_HORARIA})::date) as dia from pago where pago.id = a.pago_id) p on true
      where date_trunc('month', p.dia)::date + interval '1 month' + ${DIA_LEGAL - 1} * interval '1 day' < ${civilDay(ahora)}::date
      group by f.cfdi_id
    ), junto as (
      select 'sinFactura' as motivo, null as proveedor, d.rfc, d.nombre, d.uuid, d.folio, d.pagado as dice, null::numeric as aqui, d.desde
      from dicho d where not exists (select from documento x where x.uuid = d.uuid)
      union all
      select 'sinPago', x.proveedor, x.emisor_rfc, null, x.uuid, x.folio, d.pagado, x.pagada + x.compensada, d.desde
      from documento x join dicho d using (uuid) where d.en_pesos and x.repartido = x.total and d.pagado > x.pagada + x.compensada
      union all
      select 'otroSaldo', x.proveedor, x.emisor_rfc, null, x.uuid, x.folio, d.insoluto, x.falta, d.desde
      from documento x join dicho d using (uuid)
      where d.en_pesos and x.repartido = x.total and d.pagado = x.pagada + x.compensada and d.insoluto <> x.falta
      union all
      select 'faltaComplemento', x.proveedor, x.emisor_rfc, null, x.uuid, x.folio, d.pagado, t.vencido, t.desde
      from documento x join transferido t on t.cfdi_id = x.id left join dicho d using (uuid)
      where x.metodo_pago = 'PPD' and coalesce(d.pagado, 0) < t.vencido and coalesce(d.en_pesos, true)
    )
    select j.motivo, p.value as proveedor, coalesce(p.label, j.nombre, j.rfc) as label, j.uuid, j.folio, j.dice, j.aqui, j.desde
    from junto j left join proveedor p on p.value = j.proveedor or (j.proveedor is null and p.rfc = j.rfc)
    where ${proveedor}::text is null or p.value = ${proveedor}
    order by j.desde, j.uuid, j.motivo`.execute(db);
  return rows.map((una) => ({ ...una, porQue: MOTIVOS[una.motivo].label, remedio: MOTIVOS[una.motivo].remedio }));
}
