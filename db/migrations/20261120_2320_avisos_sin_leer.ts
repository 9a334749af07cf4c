import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // The home counts them every two seconds for each person who looks.
  await sql`create index inbox_unread on inbox (received_at desc) where topic <> 'payments' and (state = 'failed' or (state = 'pending' and attempts >= 4))`.execute(
    db,
  );
}
