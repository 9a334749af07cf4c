import { type Kysely, sql } from 'kysely';

/**
 * What the marketplace keeps of a sale, part by part, beside its sums: reports show these parts, and what a sale leaves is reckoned of the same ones. Null until
 * the sale is reckoned again, which a job does, the newest first; of shipping also where nobody knows it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table libro_venta
    add column comision numeric(14, 2), add column envio numeric(14, 2), add column retencion numeric(14, 2)`.execute(
    db,
  );
  await rewrite(db, 'libro_asentar(uuid[])', [
    [
      `coalesce(r.estima, '{}') as estima,`,
      `coalesce(r.comision, 0) as comision, coalesce(r.retencion, 0) as retencion,
          case when r.falta && '{envio}' then null else coalesce(r.envio, 0) end as envio, coalesce(r.estima, '{}') as estima,`,
    ],
    [
      `              sum(case when a = 'costo' then importe else 0 end`,
      `              sum(case 'comision' when a then importe when de then -importe end) as comision,
              sum(case 'envio' when a then importe when de then -importe end) as envio,
              sum(case 'retenido' when a then importe when de then -importe end) as retencion,
              sum(case when a = 'costo' then importe else 0 end`,
    ],
    [
      `        por_liberar = s.por_liberar, estima`,
      `        por_liberar = s.por_liberar, comision = s.comision, envio = s.envio, retencion = s.retencion, estima`,
    ],
    [
      `(l.recibe, l.costo, l.por_liberar, l.estima,`,
      `(l.recibe, l.costo, l.por_liberar, l.comision, l.envio, l.retencion, l.estima,`,
    ],
    [
      `end, s.por_liberar, s.estima, s.falta`,
      `end, s.por_liberar, s.comision, s.envio, s.retencion, s.estima, s.falta`,
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
