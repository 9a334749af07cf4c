import { type Kysely, sql } from 'kysely';

/** Whose each thing that waits is, and until when it is put aside. What waits is read from its own tables: a row here without such a thing says nothing. */
export async function up(db: Kysely<unknown>) {
  await sql`create table encargo (
    cola           text not null,
    cosa           text not null,
    dueno_id       uuid references usuario on delete set null,
    pospuesta_hasta timestamptz,
    motivo         text,
    pospuesta_por  uuid references usuario on delete set null,
    actualizado_en timestamptz not null default now(),
    primary key (cola, cosa),
    check ((pospuesta_hasta is null) = (motivo is null))
  )`.execute(db);
  await sql`create index encargo_pospuesto on encargo (pospuesta_hasta) where pospuesta_hasta is not null`.execute(db);
  // Links that somebody made for one customer and nobody has opened: those the product sends by itself are thousands.
  await sql`create index enlace_sin_respuesta on enlace (creado_en) where revocado_en is null and usado_en is null and origen = 'personal'`.execute(
    db,
  );
}
