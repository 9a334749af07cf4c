import { type Kysely, sql } from 'kysely';

/**
 * A sale that was paid and not fulfilled, and of which the marketplace keeps nothing back: what stays paid of it, and what people decided about that money.
 * A decision is never changed; the last one counts. `conservada` is the decision that the money is ours: the sale counts as any other while something stays
 * paid of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orden add column en_pie numeric(14, 2), add column conservada boolean not null default false`.execute(
    db,
  );
  await sql`create table decision_devuelta (
    id         uuid primary key default uuidv7(),
    orden_id   uuid not null references orden on delete cascade,
    decision   text not null check (decision in ('facturar', 'esperar', 'reclamar', 'soltar')),
    hasta      date check ((decision in ('esperar', 'reclamar')) = (hasta is not null)),
    folio      text check (folio <> ''),
    usuario_id uuid references usuario,
    creada_en  timestamptz not null default clock_timestamp()
  )`.execute(db);
  await sql`create index decision_devuelta_by_orden on decision_devuelta (orden_id, id desc)`.execute(db);
}
