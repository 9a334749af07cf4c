import { sql } from 'kysely';
import { Money } from '~/core/money';
import type { Rango } from '~/core/list';
import { addDays, dayRange, ZONA_HORARIA } from '~/core/time';
import type { Db, Trx } from '~db/client.server';

export type Paso = 'dia' | 'mes';

export type Grafica = {
  /** One point per civil day ('2026-11-20') or month ('2026-11'), those without sales included. */
  puntos: { periodo: string; monto: Money; ordenes: number }[];
  /** Sales by supplier, largest first; null is a sale whose sku names none. */
  proveedores: { proveedor: string | null; label: string; monto: Money; ordenes: number }[];
  monto: Money;
  ordenes: number;
};

/** Amounts and counts of what was sold in a range: cancelled and returned sales count nothing. Read from one index, a year in one pass. */
export async function readGrafica(db: Db | Trx, { desde, hasta }: Rango, paso: Paso): Promise<Grafica> {
  const { from, to } = dayRange(desde, hasta);
  const dia = sql`date_trunc(${sql.lit(paso === 'dia' ? 'day' : 'month')}, fecha_creacion at time zone ${sql.lit(ZONA_HORARIA)})`;
  // Added up once per period and supplier; the sums over each alone are of those few.
  const { rows } = await sql<{ periodo: string | null; proveedor: string | null; total: number; monto: Money; ordenes: number }>`
    select to_char(dia, ${sql.lit(paso === 'dia' ? 'YYYY-MM-DD' : 'YYYY-MM')}) as periodo, proveedor, grouping(dia, proveedor)::int as total, coalesce(sum(monto), 0) as monto, coalesce(sum(ordenes), 0)::int as ordenes
    from (select dia, lower(proveedor) as proveedor, monto, ordenes from (select ${dia} as dia, proveedor, sum(pagado) as monto, count(*) as ordenes from orden
          where fecha_creacion >= ${from} and fecha_creacion < ${to} and clase not in ('cancelada', 'devuelta') group by 1, 2) ventas) nombradas
    group by grouping sets ((dia), (proveedor), ())`.execute(db);
  const labels = new Map((await db.selectFrom('proveedor').select(['value', 'label']).execute()).map(({ value, label }) => [value, label]));
  const todo = rows.find(({ total }) => total === 3);
  const porPeriodo = new Map(rows.filter(({ total }) => total === 1).map((row) => [row.periodo, row]));
  return {
    puntos: periodosDe(desde, hasta, paso).map((one) => ({ periodo: one, monto: porPeriodo.get(one)?.monto ?? Money.zero, ordenes: porPeriodo.get(one)?.ordenes ?? 0 })),
    proveedores: rows
      .filter(({ total }) => total === 2)
      .map(({ proveedor, monto, ordenes }) => ({ proveedor, label: proveedor === null ? 'Sin proveedor' : (labels.get(proveedor) ?? proveedor), monto, ordenes }))
      .sort((a, b) => b.monto.compare(a.monto)),
    monto: todo?.monto ?? Money.zero,
    ordenes: todo?.ordenes ?? 0,
  };
}

/** Every civil day, or every month, from one day to another. */
export function periodosDe(desde: string, hasta: string, paso: Paso): string[] {
  const periodos: string[] = [];
  for (let day = desde; day <= hasta; day = addDays(day, 1)) {
    const periodo = paso === 'dia' ? day : day.slice(0, 7);
    if (periodos.at(-1) !== periodo) periodos.push(periodo);
  }
  return periodos;
}
