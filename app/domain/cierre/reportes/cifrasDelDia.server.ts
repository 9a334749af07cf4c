import { sql } from 'kysely';
import type { Money } from '~/core/money';
import { addDays, civilDay, dayRange } from '~/core/time';
import { FRESCO_CIFRAS_MS, keep } from '~/platform/hoy/fresco.server';
import { readOrLast, type Leida } from '~/platform/hoy/leida.server';
import type { Db } from '~db/client.server';

/** Figures of a day until some hour. */
export type Cifras = { ventas: number; vendido: Money; facturas: number; canceladas: number };

export type CifrasDelDia = {
  hoy: Cifras;
  /** The same weekday a week before, until the same hour of the day. */
  antes: Cifras;
  diaDeAntes: string;
  /** Sales by hour of the day: the hours that have begun, and all hours of the day before. */
  porHora: { hoy: number[]; antes: number[] };
};

const HORAS = 25;

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
  const { rows } = await sql<Cifras & { esHoy: boolean; horas: number[] }>`
    select d.es_hoy, v.*, f.facturas from (values (true, ${hoy.from}::timestamptz, ${hoy.to}::timestamptz, ${ahora}::timestamptz),
      (false, ${antes.from}, ${antes.to}, ${hasta})) d (es_hoy, de, a, hasta)
    cross join lateral (
      select count(distinct num_orden) filter (where fecha_creacion <= d.hasta)::int as ventas, coalesce(sum(pagado) filter (where fecha_creacion <= d.hasta), 0) as vendido,
        count(distinct num_orden) filter (where fecha_creacion <= d.hasta and clase in ('cancelada', 'devuelta'))::int as canceladas,
        coalesce(array_agg(floor(extract(epoch from fecha_creacion - d.de) / 3600)::int) filter (where fecha_creacion <= d.hasta or not d.es_hoy), '{}') as horas
      from orden where fecha_creacion >= d.de and fecha_creacion < d.a) v
    cross join lateral (select count(*)::int as facturas from factura where tipo <> 'notaCredito' and fecha_timbrado >= d.de and fecha_timbrado <= d.hasta) f`.execute(
    db,
  );
  const [mia, suya] = [rows.find(({ esHoy }) => esHoy)!, rows.find(({ esHoy }) => !esHoy)!];
  const cifras = ({ ventas, vendido, facturas, canceladas }: Cifras): Cifras => ({
    ventas,
    vendido,
    facturas,
    canceladas,
  });
  const empezadas = Math.floor((ahora.getTime() - hoy.from.getTime()) / 3_600_000) + 1;
  return {
    hoy: cifras(mia),
    antes: cifras(suya),
    diaDeAntes,
    porHora: { hoy: porHora(mia.horas).slice(0, empezadas), antes: porHora(suya.horas).slice(0, 24) },
  };
}

function porHora(horas: readonly number[]): number[] {
  const cuenta = Array.from({ length: HORAS }, () => 0);
  for (const hora of horas) cuenta[hora] = (cuenta[hora] ?? 0) + 1;
  return cuenta;
}
