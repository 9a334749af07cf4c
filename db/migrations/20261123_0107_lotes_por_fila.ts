import { type Kysely, sql } from 'kysely';

/**
 * What is done to many at once is of any list: each row keeps what it was called, what it was worth and the state it was seen in. Which actions there are
 * is told in the code, beside their lists.
 */
export async function up(db: Kysely<unknown>) {
  await sql`alter table lote drop constraint lote_accion_check`.execute(db);
  await sql`alter table lote add check (length(accion) between 1 and 60)`.execute(db);

  await sql`drop index lote_orden_by_orden`.execute(db);
  await sql`alter table lote_orden drop constraint lote_orden_orden_id_fkey`.execute(db);
  await sql`alter table lote_orden rename to lote_fila`.execute(db);
  await sql`alter index lote_orden_pkey rename to lote_fila_pkey`.execute(db);
  await sql`alter table lote_fila rename column orden_id to fila_id`.execute(db);
  await sql`alter table lote_fila rename column version to visto`.execute(db);
  await sql`alter table lote_fila alter column visto type text using visto::text, add clave text, add titulo text, add importe numeric(14, 2)`.execute(
    db,
  );
  await sql`update lote_fila f set clave = o.num_orden, titulo = o.titulo, importe = o.pagado from orden o where o.id = f.fila_id`.execute(
    db,
  );
  await sql`delete from lote_fila where clave is null`.execute(db);
  await sql`alter table lote_fila alter clave set not null, alter titulo set not null`.execute(db);
}
