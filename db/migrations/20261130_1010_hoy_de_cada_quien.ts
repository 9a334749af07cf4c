import { type Kysely, sql } from 'kysely';

/** The screen a person starts on (none: the home of their role), the order of their cards on 'Hoy', and the cards that they put aside. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table preferencia
    add column inicio text,
    add column orden_de_hoy text[] not null default '{}',
    add column cartas_aparte text[] not null default '{}'`.execute(db);
}
