import { type Kysely, sql } from 'kysely';

/**
 * The part of a buyer's coupon that the seller pays; null while the sale has a coupon and nobody tells who pays it. The price of a sale and what a settlement
 * tells of it are before and after that part, so the ledger shows the coupon as a line of its own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orden add column cupon numeric(14, 2) default 0 check (cupon >= 0)`.execute(db);
  await rewrite(db, 'libro_of_dinero()', [
    [
      'select id, clase, pagado_abs, comision, retencion, costo_envio, envio_propio, envio_id, liquidado from after',
      'select id, clase, pagado_abs, comision, retencion, cupon, costo_envio, envio_propio, envio_id, liquidado from after',
    ],
    [
      'select id, clase, pagado_abs, comision, retencion, costo_envio, envio_propio, envio_id, liquidado from before',
      'select id, clase, pagado_abs, comision, retencion, cupon, costo_envio, envio_propio, envio_id, liquidado from before',
    ],
  ]);
  // The charges of a sale tell its withholdings and its coupon together. Before they do, a coupon is an estimate, and one of a sale that ended is none.
  await rewrite(db, 'libro_debe(uuid[])', [
    [
      'coalesce(c.r_cobrado, o.pagado) as cobrado,',
      `coalesce(c.r_cobrado + coalesce(o.cupon, 0), o.pagado) as cobrado,
        case when o.clase not in ('cancelada', 'devuelta') or o.retencion is not null or o.liquidado is not null then coalesce(o.cupon, 0) else 0 end as cupon,
        o.retencion is not null or o.liquidado is not null as cupon_dicho,
        o.cupon is null and o.liquidado is null as cupon_sin_decir,`,
    ],
    [
      `        ('envio', 'porLiberar:' || v.market, 'envio', v.envio, true, v.fuente),`,
      `        ('cupon', 'porLiberar:' || v.market, 'cupon', v.cupon, v.cupon_dicho, v.fuente),
        ('envio', 'porLiberar:' || v.market, 'envio', v.envio, true, v.fuente),`,
    ],
    [
      '- coalesce(v.retencion_del_mes, 0) - v.envio - v.liquidado, 0)',
      '- coalesce(v.retencion_del_mes, 0) - v.cupon - v.envio - v.liquidado, 0)',
    ],
    [
      `      select id, 'envio', null, null, null, false, 'envio', fecha_creacion from venta where viva and envio_sin_decir`,
      `      select id, 'envio', null, null, null, false, 'envio', fecha_creacion from venta where viva and envio_sin_decir
      union all
      select id, 'cupon', null, null, null, false, 'mercado', fecha_creacion from venta where viva and cupon_sin_decir`,
    ],
  ]);
  for (const name of ['libro_asentar(uuid[])', 'libro_recibe(uuid)'])
    await rewrite(db, name, [
      [
        `case when de = any(array['venta', 'comision', 'envio', 'retenido', 'otros'])`,
        `case when de = any(array['venta', 'comision', 'cupon', 'envio', 'retenido', 'otros'])`,
      ],
      [
        `case when a = any(array['venta', 'comision', 'envio', 'retenido', 'otros'])`,
        `case when a = any(array['venta', 'comision', 'cupon', 'envio', 'retenido', 'otros'])`,
      ],
    ]);
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
