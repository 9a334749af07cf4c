import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // What somebody has to see to: one row while it lasts, so that each change of state is told once, whoever looks.
  await sql`create table condicion (
    clave     text primary key,
    nivel     text not null check (nivel in ('aviso', 'grave')),
    texto     text not null,
    remedio   text not null,
    pantalla  text,
    desde     timestamptz not null default now(),
    vista_en  timestamptz not null default now()
  )`.execute(db);

  // A purge is the one that removes, and says so for its own transaction; whoever may not delete at all gains nothing by saying it.
  await sql`create or replace function refuse_change() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'TRUNCATE' and current_setting('trastienda.purga', true) = tg_table_name then return null; end if;
      raise exception 'la tabla % solo admite altas', tg_table_name using errcode = 'restrict_violation';
    end $$`.execute(db);

  // The application may only add to these two tables: what is too old goes through here, by the owner's right, and never younger than the law wants it.
  await sql`create function purgar_evidencia(dias integer) returns bigint language plpgsql security definer set search_path = pg_catalog, public as $$
    declare n bigint;
    begin
      if dias < 30 then raise exception 'la evidencia se conserva al menos 30 días'; end if;
      perform set_config('trastienda.purga', 'effect_attempt', true);
      update effect_attempt a set sealed = null from effect e
        where e.id = a.effect_id and a.sealed is not null and a.at < now() - make_interval(days => dias)
          and e.state in ('done', 'refused', 'cancelled') and e.look_again_at is null and e.late_evidence is null;
      get diagnostics n = row_count;
      perform set_config('trastienda.purga', '', true);
      return n;
    end $$`.execute(db);
  await sql`create function purgar_intentos(dias integer) returns bigint language plpgsql security definer set search_path = pg_catalog, public as $$
    declare n bigint;
    begin
      if dias < 90 then raise exception 'los intentos se conservan al menos 90 días'; end if;
      perform set_config('trastienda.purga', 'effect_attempt', true);
      delete from effect_attempt a using effect e
        where e.id = a.effect_id and a.at < now() - make_interval(days => dias)
          and e.state in ('done', 'refused', 'cancelled') and e.look_again_at is null and e.late_evidence is null;
      get diagnostics n = row_count;
      perform set_config('trastienda.purga', '', true);
      return n;
    end $$`.execute(db);
  await sql`create function purgar_bitacora(dias integer) returns bigint language plpgsql security definer set search_path = pg_catalog, public as $$
    declare n bigint;
    begin
      if dias < 1826 then raise exception 'la bitácora se conserva al menos cinco años'; end if;
      perform set_config('trastienda.purga', 'bitacora', true);
      delete from bitacora where en < now() - make_interval(days => dias);
      get diagnostics n = row_count;
      perform set_config('trastienda.purga', '', true);
      return n;
    end $$`.execute(db);
  await sql`revoke execute on function purgar_evidencia(integer), purgar_intentos(integer), purgar_bitacora(integer) from public`.execute(
    db,
  );
}
