import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // What a letter says of a person stands in its request, and may be read in its attempts. Both go after the period of what is known of people, however long
  // other attempts are kept.
  await sql`create function purgar_cartas(dias integer) returns bigint language plpgsql security definer set search_path = pg_catalog, public as $$
    declare n bigint;
    begin
      if dias < 365 then raise exception 'las cartas se conservan al menos un año'; end if;
      perform set_config('trastienda.purga', 'effect_attempt', true);
      delete from effect_attempt a using effect e
        where e.id = a.effect_id and (e.connection = 'correo' or e.type in ('pac.client', 'pac.publicClient'))
          and e.settled_at < now() - make_interval(days => dias) and e.look_again_at is null and e.late_evidence is null;
      get diagnostics n = row_count;
      perform set_config('trastienda.purga', '', true);
      return n;
    end $$`.execute(db);
  await sql`revoke execute on function purgar_cartas(integer) from public`.execute(db);
}
