import { sql } from 'kysely';
import { Money } from '~/core/money';
import type { InstantRange } from '~/core/time';
import type { Db, Trx } from '~db/client.server';
import type { z } from 'zod';
import {
  CAUSAS,
  comparacionOf,
  tramosOf,
  type Causa,
  type Comparacion,
  type PedidoDeCambio,
  type Tramo,
} from './cambio';

/** A period of the comparison, as the ledgers of its sales tell it. */
type Periodo = {
  desde: string;
  hasta: string;
  /** Instant until which the period was read. */
  leidoHasta: Date;
  ventas: number;
  /** Sales whose profit is known or estimated: only these are compared. */
  conUtilidad: number;
  /** Those of them whose profit is estimated in part. */
  estimadas: number;
  /** Null where there are sales and nobody knows what any of them leaves. */
  queda: Money | null;
};

/** A product that moved a cause, by the title of one of its sales. */
type ProductoDeCausa = { titulo: string; importe: Money };

type CausaDeCambio = {
  causa: Causa;
  importe: Money;
  /** A part of the amount is estimated in some sale. */
  estimada: boolean;
  /** The products that moved the cause most, the largest first. */
  productos: ProductoDeCausa[];
};

export type Cambio = {
  pedido: Comparacion;
  /** Whether the later period still runs: each is read as far as the later one has come. */
  enCurso: boolean;
  ahora: Periodo;
  antes: Periodo;
  /** Null where the profit of a period is unknown. */
  diferencia: Money | null;
  /** Every cause of `CAUSAS`, in that order. Their sum is `diferencia` to the cent; none where that is unknown. */
  causas: CausaDeCambio[];
  /** What products without a counterpart in the other period brought, of 'mezcla': new ones add, and those that are gone take away. */
  sinPar: Money;
  /** What cancelled and returned sales changed, of 'envio'. */
  devoluciones: Money;
  /** Products that both periods sold: nothing else has a price or a cost to compare. */
  comunes: number;
};

/** Products that are named for each cause. */
const MAX_PRODUCTOS = 3;

type Row = {
  ventasAhora: number;
  ventasAntes: number;
  conAhora: number;
  conAntes: number;
  estimadasAhora: number;
  estimadasAntes: number;
  quedaAhora: Money;
  quedaAntes: Money;
  devoluciones: Money;
  mezclaEstimada: boolean;
  comisionEstimada: boolean;
  costoEstimado: boolean;
  envioEstimado: boolean;
  comunes: number;
  precio: Money;
  comision: Money;
  costo: Money;
  envio: Money;
  sinPar: Money;
} & { [C in Causa as `de${Capitalize<C>}`]: { titulo: string; importe: string }[] | null };

/** SQL: the sales of a period with their ledgers. Both sides name the range, so each is read from its own index; the rows stay narrow enough for memory. */
const ventasDe = (ahora: boolean, { from, to }: InstantRange) => sql`
  select ${sql.lit(ahora)} as ahora, o.id, o.clase in ('cancelada', 'devuelta') as volvio, l.recibe, l.costo, l.queda,
    l.certeza = 'estimada' as estimada, l.estima && '{comision,retencion}' as comision_estimada,
    l.estima && '{costo,propio,catalogo,recuperado}' as costo_estimado, 'envio' = any(l.estima || l.falta) as envio_estimado
  from orden o join libro_venta l on l.orden_id = o.id
  where o.fecha_creacion >= ${from} and o.fecha_creacion < ${to} and l.fecha >= ${from} and l.fecha < ${to}`;

/** SQL: the products that moved a cause most, as JSON. Amounts are text: no number of JavaScript's holds money. */
const quienes = (causa: Causa) => sql`(
  select json_agg(json_build_object('titulo', o.titulo, 'importe', round(mas.importe, 2)::text) order by abs(mas.importe) desc, mas.id)
  from (
    select id, ${sql.ref(causa)} as importe from efecto
    where ${sql.ref(causa)} <> 0 order by abs(${sql.ref(causa)}) desc, id limit ${sql.lit(MAX_PRODUCTOS)}
  ) mas join orden o on o.id = mas.id where abs(mas.importe) >= 0.005)`;

/**
 * Returns what changed the profit between two periods, in one statement. Sales whose profit nobody knows are left out and counted. A product is a SKU at a
 * marketplace, or the whole basket where a sale holds several. Each product's figures of before are carried to the pieces of now: what a piece more leaves
 * is 'mezcla', and the rest is what a piece sells for, costs, pays to the marketplace and spends on its way. Products without a counterpart go whole into
 * 'mezcla', and sales that were cancelled or returned into 'envio'. The other four causes are rounded to the cent, and 'mezcla' is the change without them:
 * the cents of rounding lie there.
 */
export async function readCambio(db: Db | Trx, asked: z.output<typeof PedidoDeCambio>, now: Date): Promise<Cambio> {
  const pedido = comparacionOf(asked, now);
  const { ahora, antes, enCurso } = tramosOf(pedido, now);
  const { rows } = await sql<Row>`
    with venta as materialized (
      ${ventasDe(true, ahora.range)} union all ${ventasDe(false, antes.range)}
    ),
    -- In the order of the indices that are asked for each of them.
    viva as materialized (
      select ahora, id, recibe, costo, queda from venta where queda is not null and not volvio order by id
    ),
    articulos as (
      select v.id, count(*) as lineas, any_value(a.cantidad) as cantidad,
        any_value(coalesce(lower(a.sku collate "C"), a.item_id, a.nombre)) as clave
      from viva v join articulo a on a.orden_id = v.id
      group by v.id
    ),
    -- What was charged, and what went to a courier or back to the buyer of a sale that stands. The account that was charged is that of its marketplace.
    asentado as (
      select v.id, coalesce(sum(s.importe) filter (where s.de = 'venta'), 0) as vendido,
        coalesce(sum(s.importe) filter (where s.de <> 'venta'), 0) as envio,
        any_value(s.a) filter (where s.de = 'venta') as mercado
      from viva v join asiento s on s.orden_id = v.id and (s.de = 'venta' or s.a in ('envio', 'venta'))
      group by v.id
    ),
    -- A basket counts as one piece of its own kind. What is charged and arrives nowhere else is commission, withholdings included.
    suelta as (
      select v.ahora, v.id, s.mercado, v.costo, v.queda,
        coalesce(s.vendido, 0) as vendido, coalesce(s.envio, 0) as envio,
        coalesce(s.vendido - s.envio, 0) - v.recibe as comision,
        case when a.lineas = 1 then a.cantidad else 1 end as piezas,
        case when a.lineas = 1 then a.clave
          when a.lineas > 1 then (
            select string_agg(coalesce(lower(sku collate "C"), item_id, nombre) || ' ×' || cantidad, ' + '
              order by lower(sku collate "C"), item_id, nombre, cantidad)
            from articulo where orden_id = v.id)
          else v.id::text end collate "C" as clave
      from viva v left join articulos a using (id) left join asentado s using (id)
    ),
    producto as (
      select any_value(id) as id,
        sum(piezas) filter (where ahora) as q1, sum(piezas) filter (where not ahora) as q0,
        sum(vendido) filter (where ahora) as r1, sum(vendido) filter (where not ahora) as r0,
        sum(comision) filter (where ahora) as k1, sum(comision) filter (where not ahora) as k0,
        sum(costo) filter (where ahora) as c1, sum(costo) filter (where not ahora) as c0,
        sum(envio) filter (where ahora) as e1, sum(envio) filter (where not ahora) as e0,
        coalesce(sum(queda) filter (where ahora), 0) as u1, coalesce(sum(queda) filter (where not ahora), 0) as u0
      from suelta group by clave, mercado
    ),
    -- The commission of before goes with what is sold: a price that rises takes its own share along.
    efecto as (
      select id, par,
        case when par then r1 - r0 * q1 / q0 - k0 * r1 / r0 + k0 * q1 / q0 end as precio,
        case when par then k0 * r1 / r0 - k1 end as comision,
        case when par then c0 * q1 / q0 - c1 end as costo,
        case when par then e0 * q1 / q0 - e1 end as envio,
        case when par then u0 * q1 / q0 - u0 else u1 - u0 end as mezcla
      from (select *, coalesce(q0 > 0 and q1 > 0 and r0 > 0, false) as par from producto) p
    ),
    lados as (
      select count(*) filter (where ahora)::int as ventas_ahora, count(*) filter (where not ahora)::int as ventas_antes,
        count(queda) filter (where ahora)::int as con_ahora, count(queda) filter (where not ahora)::int as con_antes,
        count(*) filter (where ahora and estimada)::int as estimadas_ahora,
        count(*) filter (where not ahora and estimada)::int as estimadas_antes,
        coalesce(sum(queda) filter (where ahora), 0) as queda_ahora, coalesce(sum(queda) filter (where not ahora), 0) as queda_antes,
        coalesce(sum(case when ahora then queda else -queda end) filter (where volvio), 0) as devoluciones,
        coalesce(bool_or(not volvio) filter (where estimada), false) as mezcla_estimada,
        coalesce(bool_or(comision_estimada) filter (where estimada and not volvio), false) as comision_estimada,
        coalesce(bool_or(costo_estimado) filter (where estimada and not volvio), false) as costo_estimado,
        coalesce(bool_or(envio_estimado or volvio) filter (where estimada), false) as envio_estimado
      from venta
    ),
    causas as (
      select coalesce(round(sum(precio), 2), 0) as precio, coalesce(round(sum(comision), 2), 0) as comision,
        coalesce(round(sum(costo), 2), 0) as costo, coalesce(round(sum(envio), 2), 0) as envio,
        coalesce(sum(mezcla) filter (where not par), 0) as sin_par, count(*) filter (where par)::int as comunes
      from efecto
    )
    select lados.*, causas.*, ${sql.join(
      CAUSAS.map((causa) => sql`${quienes(causa)} as ${sql.ref(deCausa(causa))}`),
      sql`, `,
    )}
    from lados, causas`.execute(db);
  const row = rows[0]!;
  const dichos = {
    pedido,
    enCurso,
    ahora: periodoOf(ahora, row.ventasAhora, row.conAhora, row.estimadasAhora, row.quedaAhora),
    antes: periodoOf(antes, row.ventasAntes, row.conAntes, row.estimadasAntes, row.quedaAntes),
  };
  const { sinPar, devoluciones, comunes } = row;
  if (dichos.ahora.queda === null || dichos.antes.queda === null)
    return { ...dichos, diferencia: null, causas: [], sinPar, devoluciones, comunes };
  const diferencia = dichos.ahora.queda.minus(dichos.antes.queda);
  return { ...dichos, diferencia, causas: causasOf(row, diferencia), sinPar, devoluciones, comunes };
}

/** Returns the causes of a change. 'mezcla' is the change without the other four, so their sum is exact. */
function causasOf(row: Row, diferencia: Money): CausaDeCambio[] {
  const { precio, comision, costo, comisionEstimada, costoEstimado, envioEstimado } = row;
  const envio = row.envio.plus(row.devoluciones);
  const importes: Record<Causa, Money> = {
    precio,
    mezcla: diferencia.minus(Money.sum([precio, comision, costo, envio])),
    comision,
    costo,
    envio,
  };
  const estimadas: Record<Causa, boolean> = {
    // The commission of a price is taken off it.
    precio: comisionEstimada,
    mezcla: row.mezclaEstimada,
    comision: comisionEstimada,
    costo: costoEstimado,
    envio: envioEstimado,
  };
  return CAUSAS.map((causa) => ({
    causa,
    importe: importes[causa],
    estimada: estimadas[causa],
    productos: (row[deCausa(causa)] ?? []).map(({ titulo, importe }) => ({ titulo, importe: Money.of(importe) })),
  }));
}

/** Returns the name of the column that holds the products of a cause. */
const deCausa = <C extends Causa>(causa: C) => `de${causa[0]!.toUpperCase()}${causa.slice(1)}` as `de${Capitalize<C>}`;

const periodoOf = (
  { desde, hasta, range }: Tramo,
  ventas: number,
  conUtilidad: number,
  estimadas: number,
  queda: Money,
): Periodo => ({
  desde,
  hasta,
  leidoHasta: range.to,
  ventas,
  conUtilidad,
  estimadas,
  queda: ventas > 0 && conUtilidad === 0 ? null : queda,
});
