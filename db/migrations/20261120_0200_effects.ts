import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  await sql`create table batch (
    id          uuid primary key default uuidv7(),
    type        text not null,
    label       text not null,
    total       integer not null check (total >= 0),
    usuario_id  uuid references usuario,
    created_at  timestamptz not null default now()
  )`.execute(db);

  await sql`create table effect (
    id           uuid primary key default uuidv7(),
    type         text not null,
    key          text not null,
    ref          text not null,
    connection   text not null,
    request      jsonb not null,
    request_hash bytea not null,
    state        text not null default 'queued' check (state in ('queued', 'sending', 'unknown', 'manual', 'done', 'refused', 'cancelled')),
    sends        integer not null default 0,
    finds        integer not null default 0,
    next_at      timestamptz not null default now(),
    lease_owner  text,
    lease_until  timestamptz,
    sent_at      timestamptz,
    unknown_at   timestamptz,
    result       jsonb,
    reason       text,
    detail       text,
    batch_id     uuid references batch,
    usuario_id   uuid references usuario,
    created_at   timestamptz not null default now(),
    settled_at   timestamptz,
    check ((state in ('done', 'refused', 'cancelled')) = (settled_at is not null))
  )`.execute(db);
  // While an effect is alive nobody can ask for the same thing again: a double click finds the first one.
  await sql`create unique index one_live_effect_per_key on effect (type, key) where state in ('queued', 'sending', 'unknown', 'manual')`.execute(
    db,
  );
  // The reference the far side knows is used again after a clear no, so that a wrong 'no existe' still meets its duplicate check.
  await sql`create unique index one_live_effect_per_ref on effect (connection, ref) where state not in ('refused', 'cancelled')`.execute(
    db,
  );
  await sql`create index effect_open on effect (next_at) where state in ('queued', 'sending', 'unknown')`.execute(db);
  await sql`create index effect_by_key on effect (type, key, id)`.execute(db);
  await sql`create index effect_manual on effect (created_at) where state = 'manual'`.execute(db);
  await sql`create index effect_by_batch on effect (batch_id, state) where batch_id is not null`.execute(db);

  // What was frozen stays frozen, and a settled effect stays settled.
  await sql`create function guard_effect() returns trigger language plpgsql as $$
    begin
      if (old.type, old.key, old.ref, old.connection, old.request, old.request_hash) is distinct from
         (new.type, new.key, new.ref, new.connection, new.request, new.request_hash) then
        raise exception 'lo que se pidió en un efecto no cambia' using errcode = 'restrict_violation';
      end if;
      if old.state in ('done', 'refused', 'cancelled') and new.state <> old.state then
        raise exception 'un efecto terminado no cambia de estado' using errcode = 'restrict_violation';
      end if;
      return new;
    end $$`.execute(db);
  await sql`create trigger effect_guard before update on effect for each row execute function guard_effect()`.execute(
    db,
  );

  await sql`create table effect_attempt (
    id         bigint generated always as identity primary key,
    effect_id  uuid not null references effect,
    kind       text not null check (kind in ('send', 'find', 'person')),
    phase      text not null check (phase in ('started', 'ended')),
    at         timestamptz not null default now(),
    owner      text not null,
    outcome    text,
    status     integer,
    ms         integer,
    message    text,
    sealed     bytea
  )`.execute(db);
  await sql`create index effect_attempt_by_effect on effect_attempt (effect_id, id)`.execute(db);
  await sql`create trigger effect_attempt_append_only before update or delete or truncate on effect_attempt
    for each statement execute function refuse_change()`.execute(db);

  // Breaker and rate bucket of each outside connection, shared by every process.
  await sql`create table connection_state (
    connection  text primary key,
    failures    integer not null default 0,
    open_until  timestamptz,
    account_problem text,
    tokens      double precision not null default 0,
    refilled_at timestamptz not null default now(),
    last_ok_at  timestamptz,
    last_error_at timestamptz,
    last_error  text
  )`.execute(db);

  await sql`create table sync_run (
    id          uuid primary key default uuidv7(),
    source      text not null,
    kind        text not null,
    started_at  timestamptz not null default now(),
    ended_at    timestamptz,
    seen        integer not null default 0,
    written     integer not null default 0,
    failed      integer not null default 0,
    error       text
  )`.execute(db);
  await sql`create index sync_run_by_source on sync_run (source, kind, started_at desc)`.execute(db);

  await sql`create table sync_cursor (
    source     text primary key,
    reached_at timestamptz not null,
    updated_at timestamptz not null default now()
  )`.execute(db);

  await sql`create table inbox (
    id           bigint generated always as identity primary key,
    source       text not null,
    dedupe_key   text not null,
    topic        text not null,
    resource     text not null,
    received_at  timestamptz not null default now(),
    times        integer not null default 1,
    state        text not null default 'pending' check (state in ('pending', 'done', 'ignored', 'failed')),
    attempts     integer not null default 0,
    next_at      timestamptz not null default now(),
    processed_at timestamptz,
    error        text,
    unique (source, dedupe_key)
  )`.execute(db);
  await sql`create index inbox_pending on inbox (next_at) where state = 'pending'`.execute(db);

  await sql`create table export_run (
    id           uuid primary key default uuidv7(),
    list         text not null,
    filter       jsonb not null,
    usuario_id   uuid not null references usuario,
    state        text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
    total        integer,
    written      integer not null default 0,
    archivo_id   uuid references archivo,
    error        text,
    created_at   timestamptz not null default now(),
    ended_at     timestamptz,
    dismissed_at timestamptz
  )`.execute(db);
  await sql`create index export_run_by_usuario on export_run (usuario_id, id desc)`.execute(db);
}
