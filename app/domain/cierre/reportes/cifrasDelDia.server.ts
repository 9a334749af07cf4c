import { sql } from 'kysely';
import type { Money } from '~/core/money';
import { addDays, civilDay, dayRange, type InstantRange } from '~/core/time';
import { FRESCO_CIFRAS_MS, keep } from '~/platform/hoy/fresco.server';
import { readOrLast, type Leida } from '~/platform/hoy/leida.server';
import type { Db } from '~db/client.server';

/** Figures of a day until some hour. */
type Cifras = {
  ventas: number;
  vendido: Money;
  /** What is left of the sales whose profit is known or estimated; null where it is known of none. */
  utilidad: Money | null;
  /** Sales of which a part is estimated, and sales of which nothing is known, which are not in `utilidad`. */
  estimadas: number;
  sinSaber: number;
  facturas: number;
  canceladas: number;
};

/** An hour of a day: its orders, and what is left of those whose profit is known or estimated, in pesos as text; null where it is known of none. */
type Hora = { ordenes: number; utilidad: string | null; estimada: boolean };

export type CifrasDelDia = {
  hoy: Cifras;
  /** The same weekday a week before, until the same hour of the day. */
  antes: Cifras;
  diaDeAntes: string;
  /** The hours that have begun, and all hours of the day before. */
  porHora: { hoy: Hora[]; antes: Hora[] };
};

const HORAS = 25;

/** SQL: the sales of a day with what is left of each. Both sides name the day, so each is read from its own index. */
const ventasDe = (esHoy: boolean, { from, to }: InstantRange, hasta: Date) => sql`
  select ${sql.lit(esHoy)} as es_hoy, o.num_orden, o.pagado, o.clase, o.fecha_creacion <= ${hasta} as a_tiempo, l.queda, l.certeza,
    floor(extract(epoch from o.fecha_creacion - ${from}) / 3600)::int as hora
  from orden o left join libro_venta l on l.orden_id = o.id and l.fecha >= ${from} and l.fecha < ${to}
  where o.fecha_creacion >= ${from} and o.fecha_creacion < ${to}`;

/** Returns the day so far beside the same weekday a week before, in one statement over the sales of two days; the last figures where they cannot be read. */
export function readCifrasOfDia(db: Db): Promise<Leida<CifrasDelDia>> {
  return keep(db, 'cifrasDelDia', FRESCO_CIFRAS_MS, () => readOrLast(db, 'cifrasDelDia', (ahora) => look(db, ahora)));
}

/** Reads the figures of a day at an instant, as `readCifrasOfDia` gives them, without keeping them for others. */
export async function look(db: Db, ahora: Date): Promise<CifrasDelDia> {
  const dia = civilDay(ahora);
  const diaDeAntes = addDays(dia, -7);
  const [hoy, antes] = [dayRange(dia), dayRange(diaDeAntes)];
  const hasta = new Date(antes.from.getTime() + ahora.getTime() - hoy.from.getTime());
  const { rows } = await sql<Cifras & { esHoy: boolean; horas: (Hora & { hora: number })[] }>`
    with dia (es_hoy, de, hasta) as (values (true, ${hoy.from}::timestamptz, ${ahora}::timestamptz), (false, ${antes.from}, ${hasta})),
    venta as materialized (${ventasDe(true, hoy, ahora)} union all ${ventasDe(false, antes, hasta)})
    select d.es_hoy, v.*, h.horas, f.facturas from dia d
    cross join lateral (
      select count(distinct num_orden)::int as ventas, coalesce(sum(pagado), 0) as vendido, sum(queda) as utilidad,
        count(distinct num_orden) filter (where certeza = 'estimada')::int as estimadas, count(distinct num_orden) filter (where queda is null)::int as sin_saber,
        count(distinct num_orden) filter (where clase in ('cancelada', 'devuelta'))::int as canceladas
      from venta where es_hoy = d.es_hoy and a_tiempo) v
    cross join lateral (
      select coalesce(json_agg(json_build_object('hora', hora, 'ordenes', ordenes, 'utilidad', utilidad::text, 'estimada', estimada)), '[]') as horas
      from (select hora, count(*) as ordenes, sum(queda) as utilidad, coalesce(bool_or(certeza = 'estimada'), false) as estimada
        from venta where es_hoy = d.es_hoy and (a_tiempo or not es_hoy) group by hora) una) h
    cross join lateral (select count(*)::int as facturas from factura where tipo <> 'notaCredito' and fecha_timbrado >= d.de and fecha_timbrado <= d.hasta) f`.execute(
    db,
  );
  const [mia, suya] = [rows.find(({ esHoy }) => esHoy)!, rows.find(({ esHoy }) => !esHoy)!];
  const empezadas = Math.floor((ahora.getTime() - hoy.from.getTime()) / 3_600_000) + 1;
  return {
    hoy: cifrasOf(mia),
    antes: cifrasOf(suya),
    diaDeAntes,
    porHora: { hoy: porHora(mia.horas).slice(0, empezadas), antes: porHora(suya.horas).slice(0, 24) },
  };
}

const cifrasOf = ({ ventas, vendido, utilidad, estimadas, sinSaber, facturas, canceladas }: Cifras): Cifras => ({
  ventas,
  vendido,
  utilidad,
  estimadas,
  sinSaber,
  facturas,
  canceladas,
});

const NINGUNA: Hora = { ordenes: 0, utilidad: null, estimada: false };

const porHora = (horas: readonly (Hora & { hora: number })[]): Hora[] =>
  Array.from({ length: HORAS }, (_, hora) => {
    const una = horas.find((one) => one.hora === hora);
    return una ? { ordenes: una.ordenes, utilidad: una.utilidad, estimada: una.estimada } : NINGUNA;
  });
