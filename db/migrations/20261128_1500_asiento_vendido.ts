import { type Kysely, sql } from 'kysely';

/** What was charged in a sale, sent and given back: the comparison of two months reads these movements of tens of thousands of sales from the index alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index asiento_vendido on asiento (orden_id) include (de, a, importe) where de = 'venta' or a in ('envio', 'venta')`.execute(
    db,
  );
}
