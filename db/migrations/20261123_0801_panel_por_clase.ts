import { type Kysely, sql } from 'kysely';

/** How wide the panel of a record is, is kept for each kind of record; who had it wide has it wide for all there are. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table preferencia add column paneles_anchos text[] not null default '{cliente,datosporventa}'`.execute(
    db,
  );
  await sql`update preferencia set paneles_anchos =
    '{cliente,datosporventa,orden,envio,pedido,producto,factura,facturaglobal,nota,notadecredito,empresa,usuario,proveedor}'
    where panel_ancho`.execute(db);
  await sql`alter table preferencia drop column panel_ancho`.execute(db);
}
