import { sql } from 'kysely';
import type { Money } from '~/core/money';
import { addDays, monthRange, ZONA_HORARIA } from '~/core/time';
import type { Db } from '~db/client.server';
import { mesOf, whyNotMes, type Mes } from './mes';
import { devueltasConNota, porFacturar, porNotaOfRefacturacion, porNotaParcial } from './mes.server';

/** A month that ended and is not closed. */
export type MesAbierto = {
  mes: Mes;
  /** Sales without a document that a global may still take, and their sum. */
  ventas: number;
  suma: Money;
  /** Credit notes that its documents owe. */
  notas: number;
};

/** Most months that are looked at: two years. */
const MOST = 24;

/**
 * The months that ended and still have sales without a document or owe credit notes, the newest first. The months come from the fiscal balance, of
 * which only what is open is read; their numbers are those of the month's own screen. Sales that no global may take any more (CFDI40136) do not count.
 */
export async function mesesAbiertos(db: Db, now: Date): Promise<MesAbierto[]> {
  const { from } = monthRange(mesOf(now));
  const { rows } = await sql<{ mes: Mes }>`
    select distinct to_char(fecha at time zone ${sql.lit(ZONA_HORARIA)}, 'YYYY-MM') as mes
    from libro_venta where diferencia <> 0 and fecha < ${from} order by 1 desc limit ${MOST}`.execute(db);
  const meses: MesAbierto[] = [];
  for (const mes of withNeighbour(
    rows.map(({ mes }) => mes),
    now,
  )) {
    const abierto = await readAbierto(db, mes, now);
    if (abierto.ventas > 0 || abierto.notas > 0) meses.push(abierto);
  }
  return meses;
}

/** A cart that crosses midnight of the last day belongs to last month, though its second orden is of this one. */
function withNeighbour(meses: Mes[], now: Date): Mes[] {
  const last = addDays(`${mesOf(now)}-01`, -1).slice(0, 7);
  return meses.includes(last) ? meses : [last, ...meses];
}

async function readAbierto(db: Db, mes: Mes, now: Date): Promise<MesAbierto> {
  const { rows } = await sql<Omit<MesAbierto, 'mes'>>`
    with por_facturar as (
      select count(*)::int as ventas, coalesce(sum(orden.pagado_abs), 0) as suma
      from orden where ${whyNotMes(mes, now) === undefined ? porFacturar(mes) : sql`false`}
    ), de_refacturacion as (
      select count(*)::int as notas
      from refacturacion
        join orden on orden.id = refacturacion.orden_id
        join factura on factura.id = refacturacion.global_id
      where ${porNotaOfRefacturacion(mes)}
    ), de_devueltas as (
      select count(*)::int as notas from orden where ${devueltasConNota(mes)}
    ), de_parciales as (
      select count(*)::int as notas
      from orden
        join factura_orden on factura_orden.orden_id = orden.id
        join factura on factura.id = factura_orden.factura_id
      where ${porNotaParcial(mes)}
    )
    select v.ventas, v.suma, r.notas + d.notas + p.notas as notas
    from por_facturar v cross join de_refacturacion r cross join de_devueltas d cross join de_parciales p`.execute(db);
  return { mes, ...rows[0]! };
}
