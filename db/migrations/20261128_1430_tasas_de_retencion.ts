import { type Kysely, sql } from 'kysely';

/** Rates by law of the IVA and ISR that platforms withhold of a price without IVA. Those of 2026 stand in a law of one year. */
const LEY: readonly [persona: string, desde: string, hasta: string | null, iva: string, isr: string][] = [
  ['moral', '2000-01-01', null, '0', '0'],
  ['moral', '2026-01-01', '2026-12-31', '0.08', '0.025'],
  ['fisica', '2000-01-01', null, '0', '0'],
  ['fisica', '2020-06-01', null, '0.08', '0.01'],
  ['fisica', '2026-01-01', '2026-12-31', '0.08', '0.025'],
  ['sinRfc', '2000-01-01', null, '0.16', '0.20'],
  ['sinRfc', '2026-01-01', '2026-12-31', '0.16', '0.20'],
];

/** Rates of withholding by the day of the sale. A rate that somebody wrote for a marketplace still goes before the law. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table tasa_retencion (
    persona text not null check (persona in ('moral', 'fisica', 'sinRfc')),
    desde   date not null,
    hasta   date check (hasta >= desde),
    iva     numeric(7, 6) not null check (iva between 0 and 1),
    isr     numeric(7, 6) not null check (isr between 0 and 1),
    primary key (persona, desde)
  )`.execute(db);
  for (const [persona, desde, hasta, iva, isr] of LEY)
    await sql`insert into tasa_retencion (persona, desde, hasta, iva, isr)
      values (${persona}, ${desde}, ${hasta}, ${iva}::numeric, ${isr}::numeric)`.execute(db);

  // Who sells was a setting of the environment before.
  const antes = process.env.AMAZON_PERSONA;
  if (antes === 'fisica' || antes === 'sinRfc')
    await sql`insert into ajuste (clave, valor) values ('persona', ${JSON.stringify(antes)})`.execute(db);

  // What was written for a marketplace and is the law's own rate follows the law from now on.
  await sql`update ajuste set valor = valor - 'retencionIva'
    where clave like 'tarifa\\_%' and (valor ->> 'retencionIva')::numeric = 0.08`.execute(db);
  await sql`update ajuste set valor = valor - 'retencionIsr'
    where clave like 'tarifa\\_%' and (valor ->> 'retencionIsr')::numeric = 0.025`.execute(db);

  // A rate that ran out goes on until somebody writes the next: what it gives is an estimate.
  await sql`create function tasa_de_ley(momento timestamptz) returns table (iva numeric, isr numeric, hasta date) language sql stable as $$
    select t.iva, t.isr, t.hasta from tasa_retencion t
    where t.persona = coalesce((select valor #>> '{}' from ajuste where clave = 'persona'), 'moral')
      and t.desde <= (momento at time zone 'America/Mexico_City')::date
    order by t.desde desc limit 1 $$`.execute(db);
  await rewrite(db, 'libro_debe(uuid[])', [
    [
      `coalesce((ajuste.valor ->> 'retencionIva')::numeric, 0.08) + coalesce((ajuste.valor ->> 'retencionIsr')::numeric, 0.025)`,
      `coalesce((ajuste.valor ->> 'retencionIva')::numeric, ley.iva) + coalesce((ajuste.valor ->> 'retencionIsr')::numeric, ley.isr)`,
    ],
    [
      `left join ajuste on ajuste.clave = 'tarifa_' || o.market\n`,
      `left join ajuste on ajuste.clave = 'tarifa_' || o.market\n        cross join lateral tasa_de_ley(o.fecha_creacion) ley\n`,
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
