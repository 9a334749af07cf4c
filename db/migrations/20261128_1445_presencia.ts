import { type Kysely, sql } from 'kysely';

/** Who has which record open. A crash loses it and nobody misses it: the pages that are open say so again within seconds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create unlogged table presencia (
    que        text not null,
    usuario_id uuid not null references usuario on delete cascade,
    escribe    boolean not null,
    visto_en   timestamptz not null default now(),
    primary key (que, usuario_id)
  )`.execute(db);
}
