import { type Kysely, sql } from 'kysely';

/** SQL: the buyer has not paid yet. The marketplace already tells its fee and its shipping, and charges neither before it is paid. */
const SIN_COBRAR = `(o.situacion in ('cobroPendiente', 'autorizandoPago') and o.liquidado is null)`;

/** A sale that nobody paid yet takes nothing from what the marketplace is to release. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await rewrite(db, 'libro_debe(uuid[])', [
    [
      `coalesce(-c.r_comision, o.comision, round(o.pagado * tasa.comision, 2)) as comision,`,
      `case when ${SIN_COBRAR} then 0 else coalesce(-c.r_comision, o.comision, round(o.pagado * tasa.comision, 2)) end as comision,`,
    ],
    [
      `case when o.envio_propio then 0 else coalesce(-c.r_envio, o.costo_envio) end as envio,`,
      `case when o.envio_propio or ${SIN_COBRAR} then 0 else coalesce(-c.r_envio, o.costo_envio) end as envio,`,
    ],
  ]);
  const { rows } = await sql<{ def: string }>`
    select pg_get_functiondef('libro_of_dinero()'::regprocedure) as def`.execute(db);
  const moved = 'select id, clase, pagado_abs,';
  const { def } = rows[0]!;
  if (def.split(moved).length !== 3) throw new Error('libro_of_dinero() does not compare what it did');
  await sql.raw(def.replaceAll(moved, 'select id, clase, situacion, pagado_abs,')).execute(db);
  await sql`select libro_asentar(array(
    select o.id from orden o where o.situacion in ('cobroPendiente', 'autorizandoPago') and o.liquidado is null order by o.id))`.execute(
    db,
  );
}

/** Replaces parts of a function, each of which must be there once. */
async function rewrite(db: Kysely<unknown>, name: string, parts: readonly (readonly [string, string])[]) {
  const { rows } = await sql<{ def: string }>`select pg_get_functiondef(${name}::regprocedure) as def`.execute(db);
  let { def } = rows[0]!;
  for (const [from, to] of parts) {
    if (def.split(from).length !== 2) throw new Error(`${name} does not hold once: ${from}`);
    def = def.replace(from, () => to);
  }
  await sql.raw(def).execute(db);
}
