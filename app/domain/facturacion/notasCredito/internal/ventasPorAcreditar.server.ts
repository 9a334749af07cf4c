import { sql } from 'kysely';
import { groupBy } from '~/core/groupBy';
import { Money } from '~/core/money';
import type { Db, Trx } from '~db/client.server';
import type { Market, MotivoNotaCredito } from '~db/columns';
import type { Mes, Tabla } from '~/domain/facturacion/mes/mes';
import {
  OTRAS_TASAS,
  porNotaOfDevolucion,
  porNotaOfRefacturacion,
  porNotaParcial,
  sinNota,
  VOLVIO,
} from '~/domain/facturacion/mes/mes.server';
import {
  parteDevueltaOf,
  parteOf,
  type Acreditable,
  type FacturaDeNota,
  type Parte,
  type SinNota,
} from '../notasCreditoPlan';

/** The tables of the month whose button issues credit notes. */
export type TablaDeNotas = Exclude<Tabla, 'ordenes'>;

type Pagada = Acreditable & { formaPago: string | null };

const DE_LA_ORDEN = sql`nota_credito_orden n where n.factura_id = factura.id and n.orden_id = orden.id and n.parcial`;

/** Each sale and factura that `from` chooses, with the part that its note takes back. `parcial`: each orden by itself, with what was given back of it. */
export async function ventasOf(
  db: Db | Trx,
  from: ReturnType<typeof sql>,
  { parcial = false } = {},
): Promise<{ factura: FacturaOrigen; ordenes: Pagada[]; parte: Parte | SinNota }[]> {
  const { rows } = await sql<Pagada>`
    select orden.id as orden_id, factura.id as factura_id, orden.market, orden.num_orden,
      orden.pagado_abs as pagado, orden.forma_pago,
      (select fo.importe from factura_orden fo where fo.factura_id = factura.id and fo.orden_id = orden.id) as importe,
      coalesce((select jsonb_agg(jsonb_build_object('tasa', tasa_iva::text, 'importe', importe::text) order by tasa_iva) from (
        select c.tasa_iva, round(sum(c.importe + c.iva), 2) as importe
        from factura_concepto c where c.factura_id in (select n.nota_id from ${DE_LA_ORDEN}) group by 1
      ) por_tasa), '[]') as partes,
      exists (select from ${DE_LA_ORDEN} and n.nota_id is null) as en_camino
    ${from} order by orden.fecha_creacion, orden.market_id`.execute(db);
  if (rows.length === 0) return [];
  const facturas = await facturasOf(db, rows);
  const sales = groupBy(rows, ({ facturaId, market, numOrden, ordenId }) =>
    [facturaId, market, numOrden, ...(parcial ? [ordenId] : [])].join(':'),
  );
  return [...sales.values()].map((ordenes) => {
    const factura = facturas.get(ordenes[0]!.facturaId)!;
    return { factura, ordenes, parte: parcial ? parteDevueltaOf(factura, ordenes[0]!) : parteOf(factura, ordenes) };
  });
}

/** The rows of a table of a month, as the `from` of a query with orden and factura. */
export const FROM: Record<TablaDeNotas, (mes: Mes) => ReturnType<typeof sql>> = {
  refacturacion: (mes) =>
    sql`from refacturacion
      join orden on orden.id = refacturacion.orden_id
      join factura on factura.id = refacturacion.global_id
      where ${porNotaOfRefacturacion(mes)}`,
  devueltas: (mes) =>
    sql`from orden
      join factura_orden on factura_orden.orden_id = orden.id
      join factura on factura.id = factura_orden.factura_id
      where ${porNotaOfDevolucion(mes)}`,
  parciales: (mes) =>
    sql`from orden
      join factura_orden on factura_orden.orden_id = orden.id
      join factura on factura.id = factura_orden.factura_id
      where ${porNotaParcial(mes)}`,
};

/** The mark of a note of a part: the end of the orden's id, and the cents that were credited before. */
export const marcaDeParte = ({ ordenId, partes }: Pick<Acreditable, 'ordenId' | 'partes'>) =>
  `${ordenId.slice(-6)}-${Money.sum(partes.map(({ importe }) => Money.of(importe)))
    .toFixed(2)
    .replace('.', '')}`;

/** The part that a note of one sale of a factura would take back now. */
export type VentaPorAcreditar = {
  market: Market;
  motivo: MotivoNotaCredito;
  ordenIds: string[];
  importes: Money[];
  total: Money;
  /** Mark of a note of a part. */
  marca?: string;
};

/** The parts that were given back of the ordenes of a number in a factura, one for each orden. */
export async function partesPorAcreditar(
  trx: Trx,
  { facturaId, numOrden }: { facturaId: string; numOrden: string },
): Promise<VentaPorAcreditar[]> {
  const ventas = await ventasOf(
    trx,
    sql`from orden join factura_orden on factura_orden.orden_id = orden.id
      join factura on factura.id = factura_orden.factura_id
      where factura.id = ${facturaId} and orden.num_orden = ${numOrden} and ${sinNota('factura.id')}
        and orden.clase = 'normal' and orden.pagado_abs > 0`,
    { parcial: true },
  );
  return ventas.flatMap(({ ordenes: [orden], parte }) =>
    typeof parte === 'string' || !orden
      ? []
      : [
          {
            market: orden.market,
            motivo: 'parcial' as const,
            ordenIds: parte.ordenIds,
            importes: parte.importes,
            total: Money.sum(parte.importes),
            marca: marcaDeParte(orden),
          },
        ],
  );
}

/** The sale of a number in a factura, as far as no note took it back; undefined when there is nothing to credit. `soloVueltas`: only ordenes that came back. */
export async function ventaPorAcreditar(
  trx: Trx,
  { facturaId, numOrden, soloVueltas = false }: { facturaId: string; numOrden: string; soloVueltas?: boolean },
): Promise<VentaPorAcreditar | undefined> {
  const [venta] = await ventasOf(
    trx,
    sql`from orden join factura_orden on factura_orden.orden_id = orden.id
      join factura on factura.id = factura_orden.factura_id
      where factura.id = ${facturaId} and orden.num_orden = ${numOrden} and ${sinNota('factura.id')}
        ${soloVueltas ? sql`and ${VOLVIO}` : sql``}`,
  );
  if (!venta || typeof venta.parte === 'string') return undefined;
  const { ordenIds, importes } = venta.parte;
  const debida = await trx
    .selectFrom('refacturacion')
    .select('id')
    .where('globalId', '=', facturaId)
    .where('ordenId', 'in', ordenIds)
    .executeTakeFirst();
  return {
    market: venta.ordenes[0]!.market,
    motivo: debida ? 'refacturacion' : 'devuelta',
    ordenIds,
    importes,
    total: Money.sum(importes),
  };
}

/** A factura with its receiver, as its notes need it. */
export type FacturaOrigen = FacturaDeNota & {
  serie: string;
  folio: number;
  uuid: string;
  formaPago: string;
  rfc: string;
  razonSocial: string;
  cp: string;
  regimen: string;
  uid: string;
  mes: string | null;
  clienteFiscalId: string | null;
  emails: string[];
};

/**
 * The facturas with everything that decides about their notes, and with their receiver as the PAC has it now: the SAT checks a note against
 * today's register. The note of a factura that was mailed goes to the addresses of its tax record.
 */
async function facturasOf(db: Db | Trx, acreditables: readonly Acreditable[]): Promise<Map<string, FacturaOrigen>> {
  const ids = [...new Set(acreditables.map(({ facturaId }) => facturaId))];
  const ordenIds = [...new Set(acreditables.map(({ ordenId }) => ordenId))];
  const numbers = [...new Set(acreditables.map(({ numOrden }) => numOrden))];
  const [facturas, conceptos] = [
    await sql<Omit<FacturaOrigen, 'conceptos' | 'repartos' | 'notas'>>`
      select f.id, f.tipo, f.total, f.serie, f.folio, f.uuid, f.forma_pago, f.rfc, f.cliente_fiscal_id,
        case when cardinality(f.emails) > 0 and cardinality(c.emails) > 0 then c.emails else f.emails end as emails,
        f.receptor_uid as uid, g.mes,
        coalesce(c.razon_social, f.razon_social) as razon_social,
        coalesce(c.cp, f.cp) as cp, coalesce(c.regimen, f.regimen) as regimen,
        coalesce((select sum(n.importe) from nota_credito_orden n where n.factura_id = f.id), 0) as acreditado,
        case when f.tipo = 'individual' then array(
          select fo.orden_id from factura_orden fo where fo.factura_id = f.id and not exists (
            select from nota_credito_orden n where n.factura_id = f.id and n.orden_id = fo.orden_id and not n.parcial
          )
        ) else '{}' end as pendientes,
        f.tipo = 'individual' and exists (
          select from nota_credito_orden n where n.factura_id = f.id and n.nota_id is null
        ) as en_camino
      from factura f
        left join global_numero g on g.effect_id = f.effect_id
        left join cliente_fiscal c on c.uid = f.receptor_uid and c.rfc = f.rfc
      where f.id = any(${ids})`.execute(db),
    await sql<FacturaDeNota['conceptos'][number] & { facturaId: string }>`
      select c.factura_id, c.orden_id, c.no_identificacion as num_orden, c.tasa_iva::text as tasa_iva,
        c.importe + c.iva as total
      from factura_concepto c join factura f on f.id = c.factura_id
      where f.id = any(${ids})
        and (f.tipo <> 'global' or c.orden_id = any(${ordenIds}) or c.no_identificacion = any(${numbers}))
      order by c.factura_id, c.posicion`.execute(db),
  ];
  const individuales = facturas.rows.filter(({ tipo }) => tipo === 'individual').map(({ id }) => id);
  const { rows: notas } = await sql<FacturaDeNota['notas'][number] & { facturaId: string }>`
    select n.origen_id as factura_id, c.tasa_iva::text as tasa_iva, round(sum(c.importe + c.iva), 2) as importe
    from factura n join factura_concepto c on c.factura_id = n.id
    where n.origen_id = any(${individuales}) and n.estatus <> 'cancelada' group by 1, 2`.execute(db);
  const notasOfFactura = groupBy(notas, ({ facturaId }) => facturaId);
  const byFactura = groupBy(conceptos.rows, ({ facturaId }) => facturaId);
  const globales = facturas.rows.filter(({ tipo }) => tipo === 'global').map(({ id }) => id);
  const repartos = groupBy(await repartosOf(db, globales, conceptos.rows), ({ facturaId }) => facturaId);
  return new Map(
    facturas.rows.map((factura) => [
      factura.id,
      {
        ...factura,
        conceptos: byFactura.get(factura.id) ?? [],
        notas: notasOfFactura.get(factura.id) ?? [],
        repartos: repartos.get(factura.id) ?? [],
      },
    ]),
  );
}

/** The ordenes of a global's sales with more than one rate, under the number they were stamped with. Most months have none. */
async function repartosOf(
  db: Db | Trx,
  globales: string[],
  conceptos: readonly { facturaId: string; numOrden: string | null }[],
) {
  const times = groupBy(
    conceptos.filter(({ facturaId }) => globales.includes(facturaId)),
    ({ facturaId, numOrden }) => `${facturaId}:${numOrden ?? ''}`,
  );
  const mixed = [...times.values()].filter((of) => of.length > 1).map(([first]) => first!.numOrden);
  if (mixed.length === 0) return [];
  const { rows } = await sql<FacturaDeNota['repartos'][number] & { facturaId: string }>`
    with con_concepto as (
      select distinct factura_id, orden_id, no_identificacion from factura_concepto where factura_id = any(${globales})
    ), de_la_venta as (
      select fo.factura_id, fo.orden_id, fo.importe, coalesce(c.no_identificacion, o.num_orden) as num_orden
      from factura_orden fo
        join orden o on o.id = fo.orden_id
        left join con_concepto c on c.factura_id = fo.factura_id and c.orden_id = fo.orden_id
      where fo.factura_id = any(${globales})
    )
    select v.factura_id, orden.id as orden_id, v.num_orden, v.importe as pagado, ${OTRAS_TASAS} as otras
    from de_la_venta v join orden on orden.id = v.orden_id where v.num_orden = any(${mixed})
    order by orden.fecha_creacion, orden.market_id`.execute(db);
  return rows;
}
