import { type Kysely, sql } from 'kysely';

/** What stays paid of a sale that came back is money that the marketplace has, until its settlement tells what became of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await rewrite(db, 'libro_debe(uuid[])', [
    [
      'coalesce(c.r_cobrado + coalesce(o.cupon, 0), o.pagado) as cobrado,',
      'coalesce(c.r_cobrado + coalesce(o.cupon, 0), p.pagado) as cobrado,',
    ],
    [
      'coalesce(-c.r_comision, o.comision, round(o.pagado * tasa.comision, 2))',
      'coalesce(-c.r_comision, o.comision, round(p.pagado * tasa.comision, 2))',
    ],
    [
      'o.retencion, round(o.pagado / 1.16 * tasa.retencion, 2)) as retencion,',
      'o.retencion, round(p.pagado / 1.16 * tasa.retencion, 2)) as retencion,',
    ],
    [
      'cross join lateral tasa_de_ley(o.fecha_creacion) ley',
      `cross join lateral tasa_de_ley(o.fecha_creacion) ley
        cross join lateral (
          select case when o.clase = 'devuelta' then coalesce(o.en_pie + o.envio_carrito, 0) else o.pagado end as pagado
        ) p`,
    ],
  ]);
  const { rows } = await sql<{ def: string }>`
    select pg_get_functiondef('libro_of_dinero()'::regprocedure) as def`.execute(db);
  const moved = 'select id, clase, situacion, pagado_abs,';
  const { def } = rows[0]!;
  if (def.split(moved).length !== 3) throw new Error('libro_of_dinero() does not compare what it did');
  await sql.raw(def.replaceAll(moved, 'select id, clase, situacion, pagado_abs, en_pie,')).execute(db);
  await sql`select libro_asentar(array(select o.id from orden o where o.en_pie > 0 order by o.id))`.execute(db);
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
