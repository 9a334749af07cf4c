import { sql } from 'kysely';
import { Money } from '~/core/money';
import type { Rango } from '~/core/list';
import { addDays, spanRange, ZONA_HORARIA } from '~/core/time';
import type { Db, Trx } from '~db/client.server';

export type Paso = 'dia' | 'mes';

export type Grafica = {
  /** One point per civil day ('2026-11-20') or month ('2026-11'), those without sales included. */
  puntos: ({ periodo: string; monto: Money; ordenes: number } & Utilidad)[];
  /** Sales by supplier, largest first; null is a sale whose sku names none. */
  proveedores: { proveedor: string | null; label: string; monto: Money; ordenes: number }[];
  monto: Money;
  ordenes: number;
  /** What all sales of the range left. */
  utilidad: Utilidad;
};

/** What the sales of a period left, those that were cancelled or came back included, as their ledgers tell it. */
type Utilidad = {
  ventas: number;
  /** Sales whose profit is known or estimated: `queda` is of these. */
  conUtilidad: number;
  estimadas: number;
  /** Null where nobody knows what any of them leaves. */
  queda: Money | null;
};

/**
 * Returns amounts and counts of the sales of a range of days, or of minutes. Cancelled and returned sales count nothing. Each period is read as one
 * stretch of an index, so the day of a sale is never computed; the totals add up those few rows.
 */
export async function readGrafica(db: Db | Trx, { desde, hasta }: Rango, paso: Paso): Promise<Grafica> {
  const periodos = periodosOf(desde, hasta, paso);
  const inicios = [desde, ...periodos.slice(1).map((one) => (paso === 'dia' ? one : `${one}-01`))];
  const PERIODOS = sql`
    with inicios as (
      select periodo, inicio::timestamp at time zone ${sql.lit(ZONA_HORARIA)} as inicio from unnest(${periodos}::text[], ${inicios}::text[]) p(periodo, inicio)
    ), periodos as (
      select periodo, inicio, coalesce(lead(inicio) over (order by inicio), ${spanRange(desde, hasta).to}) as fin from inicios
    )`;
  const ventas = sql<{
    periodo: string | null;
    proveedor: string | null;
    total: number;
    monto: Money;
    ordenes: number;
  }>`
    ${PERIODOS}
    select periodo, lower(codigo) as proveedor, grouping(periodo, lower(codigo))::int as total, coalesce(sum(monto), 0) as monto, coalesce(sum(ordenes), 0)::int as ordenes
    from periodos cross join lateral (
      select proveedor as codigo, sum(pagado) as monto, count(*) as ordenes from orden
      where fecha_creacion >= inicio and fecha_creacion < fin and clase not in ('cancelada', 'devuelta') group by proveedor) ventas
    group by grouping sets ((periodo), (lower(codigo)), ())`.execute(db);
  // An index holds what this adds up, so the sales themselves are not joined.
  const libros = sql<Utilidad & { periodo: string | null }>`
    ${PERIODOS}
    select periodo, sum(ventas)::int as ventas, sum(con_utilidad)::int as con_utilidad, sum(estimadas)::int as estimadas, sum(queda) as queda
    from periodos cross join lateral (
      select count(*) as ventas, count(queda) as con_utilidad, count(*) filter (where certeza = 'estimada') as estimadas, sum(queda) as queda
      from libro_venta where fecha >= inicio and fecha < fin) l
    group by grouping sets ((periodo), ())`.execute(db);
  const [{ rows }, { rows: dejado }] = await Promise.all([ventas, libros]);
  const utilidadOf = (de: string | null): Utilidad => {
    const una = dejado.find(({ periodo }) => periodo === de);
    return {
      ventas: una?.ventas ?? 0,
      conUtilidad: una?.conUtilidad ?? 0,
      estimadas: una?.estimadas ?? 0,
      queda: una?.queda ?? null,
    };
  };
  const labels = new Map(
    (await db.selectFrom('proveedor').select(['value', 'label']).execute()).map(({ value, label }) => [value, label]),
  );
  const todo = rows.find(({ total }) => total === 3);
  const porPeriodo = new Map(rows.filter(({ total }) => total === 1).map((row) => [row.periodo, row]));
  return {
    puntos: periodos.map((one) => ({
      periodo: one,
      monto: porPeriodo.get(one)?.monto ?? Money.zero,
      ordenes: porPeriodo.get(one)?.ordenes ?? 0,
      ...utilidadOf(one),
    })),
    proveedores: rows
      .filter(({ total }) => total === 2)
      .map(({ proveedor, monto, ordenes }) => ({
        proveedor,
        label: proveedor === null ? 'Sin proveedor' : (labels.get(proveedor) ?? proveedor),
        monto,
        ordenes,
      }))
      .sort((a, b) => b.monto.compare(a.monto)),
    monto: todo?.monto ?? Money.zero,
    ordenes: todo?.ordenes ?? 0,
    utilidad: utilidadOf(null),
  };
}

/** Returns every civil day, or every month, that a range touches. */
export function periodosOf(desde: string, hasta: string, paso: Paso): string[] {
  const periodos: string[] = [];
  for (let day = desde.slice(0, 10); day <= hasta.slice(0, 10); day = addDays(day, 1)) {
    const periodo = paso === 'dia' ? day : day.slice(0, 7);
    if (periodos.at(-1) !== periodo) periodos.push(periodo);
  }
  return periodos;
}
