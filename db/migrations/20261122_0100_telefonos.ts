import { sql, type Kysely } from 'kysely';

/** A phone is ten digits, and the extension if one was given. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table nota_sencilla drop constraint nota_sencilla_telefono_check,
    add constraint nota_sencilla_telefono_check check (telefono ~ '^\\d{10}( ext\\. \\d{1,6})?$')`.execute(db);
}
