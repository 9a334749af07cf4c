import { sql } from 'kysely';
import type { Db } from '~db/client.server';

/** Days whose sales the nightly comparison looks at: what is older moves only by what a person does. */
const DIAS = 120;
/** Sales that one statement compares. */
const LOTE = 2_000;
/** Numbers of sales that the report names. */
const MAX_NOMBRADAS = 20;

/**
 * Returns the numbers of the sales whose ledger does not hold: a sum that its movements do not give, a movement that nothing tells, or something told that no
 * movement holds. `ids` are looked at.
 */
export async function descuadradas(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ numOrden: string }>`
    with estas as (
      select unnest(${[...ids]}::uuid[]) as orden_id
    ),
    saldo as (
      select orden_id, renglon, de, a, sum(importe) as importe
      from asiento where orden_id in (select orden_id from estas)
      group by 1, 2, 3, 4 having sum(importe) <> 0
    ),
    debe as (
      select orden_id, renglon, de, a, importe
      from libro_debe(array(select orden_id from estas)) where importe is not null
    ),
    de_mas as (
      (select * from saldo except select * from debe) union all (select * from debe except select * from saldo)
    ),
    sumas as (
      select orden_id,
        sum(case when de = 'venta' then importe when a in ('venta', 'comision', 'cupon', 'envio', 'retenido', 'otros') then -importe else 0 end) as recibe,
        sum(case when a = 'costo' then importe when de = 'costo' then -importe else 0 end) as costo,
        sum(case 'comision' when a then importe when de then -importe end) as comision,
        sum(case 'envio' when a then importe when de then -importe end) as envio,
        sum(case 'retenido' when a then importe when de then -importe end) as retencion
      from saldo group by 1
    )
    select distinct o.num_orden
    from estas join orden o on o.id = estas.orden_id
      left join libro_venta l using (orden_id)
      left join sumas s using (orden_id)
    where l.orden_id is null
      or l.recibe is distinct from coalesce(s.recibe, 0)
      or (l.costo is not null and l.costo <> coalesce(s.costo, 0))
      or (l.comision is not null and (l.comision, l.retencion) is distinct from (coalesce(s.comision, 0), coalesce(s.retencion, 0)))
      or (l.envio is not null and l.envio <> coalesce(s.envio, 0))
      or exists (select from de_mas where de_mas.orden_id = estas.orden_id)
    order by 1`.execute(db);
  return rows.map(({ numOrden }) => numOrden);
}

/** Compares the ledgers of the last months with what should stand in them, once a night, and keeps the result for the condition on the board. */
export async function balanceLibros(db: Db): Promise<void> {
  const numeros: string[] = [];
  let vistas = 0;
  for (let after: string | null = null; ;) {
    const { rows } = await sql<{ id: string }>`
      select orden_id as id from libro_venta
      where fecha > now() - make_interval(days => ${DIAS}) and falta <> '{calculo}' and (${after}::uuid is null or orden_id > ${after}::uuid)
      order by orden_id limit ${LOTE}`.execute(db);
    if (rows.length === 0) break;
    const ids: string[] = rows.map(({ id }) => id);
    numeros.push(...(await descuadradas(db, ids)));
    vistas += ids.length;
    after = ids.at(-1)!;
  }
  await db
    .insertInto('libroCuadre')
    .values({ vistas, descuadradas: numeros.length, ventas: numeros.slice(0, MAX_NOMBRADAS) })
    .execute();
  await sql`delete from libro_cuadre where en < now() - interval '90 days'`.execute(db);
}

/** Returns the last comparison; undefined before the first one. */
export function ultimoCuadreDeLibros(db: Db) {
  return db.selectFrom('libroCuadre').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
}
