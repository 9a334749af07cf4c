import { sql } from 'kysely';
import type { Money } from '~/core/money';
import type { Db } from '~db/client.server';
import type { EstadoDeStock } from './estado';

export type ValorDeEstado = { estado: EstadoDeStock; piezas: number; costo: Money };
export type ValorDeProveedor = { proveedor: string | null; piezas: number; costo: Money; estados: ValorDeEstado[] };

/** What is on our shelf and what it cost, by supplier and by state, the most valuable supplier first. What left or was lost is on no shelf. */
export async function valorEnBodega(db: Db): Promise<ValorDeProveedor[]> {
  const { rows } = await sql<ValorDeEstado & { proveedor: string | null; suyas: number; suyo: Money }>`
    select p.label as proveedor, v.estado, v.piezas::int, v.costo, sum(v.piezas) over suyo::int as suyas, sum(v.costo) over suyo as suyo
    from (select estado, proveedor, count(*) as piezas, sum(costo) as costo from stock_interno
      where estado in ('enRevision', 'disponible', 'reservado', 'danado') group by 1, 2) v
    join stock_estado e on e.value = v.estado left join proveedor p on p.value = v.proveedor
    window suyo as (partition by v.proveedor)
    order by suyo desc, p.label nulls last, e.posicion`.execute(db);
  const valor: ValorDeProveedor[] = [];
  for (const { proveedor, suyas, suyo, ...estado } of rows) {
    const last = valor.at(-1);
    if (last && last.proveedor === proveedor) last.estados.push(estado);
    else valor.push({ proveedor, piezas: suyas, costo: suyo, estados: [estado] });
  }
  return valor;
}
