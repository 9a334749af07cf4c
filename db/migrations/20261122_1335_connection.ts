import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // One row per far side and account of ours there; '' is the only account of its kind. Shared by every process. A bucket nobody asked yet is full.
  await sql`create table connection (
    kind             text not null,
    account          text not null default '',
    paused_at        timestamptz,
    account_problem  text,
    account_since    timestamptz,
    account_tries    integer not null default 0,
    account_until    timestamptz,
    account_trial_at timestamptz,
    tokens           double precision not null default 'infinity',
    refilled_at      timestamptz not null default now(),
    primary key (kind, account),
    check ((account_problem is null) = (account_since is null)),
    check ((account_problem is null) = (account_until is null))
  )`.execute(db);

  // Its breaker has a row per kind of call, so that what fails rests alone.
  await sql`create table connection_breaker (
    kind          text not null,
    account       text not null default '',
    call          text not null check (call in ('send', 'look', 'read')),
    failed_at     timestamptz[] not null default '{}',
    openings      integer not null default 0,
    open_until    timestamptz,
    trial_at      timestamptz,
    last_ok_at    timestamptz,
    last_error    text,
    last_error_at timestamptz,
    primary key (kind, account, call),
    foreign key (kind, account) references connection on delete cascade,
    check ((openings > 0) = (open_until is not null))
  )`.execute(db);

  // Pauses, problems and what is left of the bucket go on. An open breaker begins closed: five failures open it again.
  await sql`insert into connection (kind, paused_at, account_problem, account_since, account_tries, account_until, tokens, refilled_at)
    select connection, paused_at, account_problem,
      case when account_problem is not null then coalesce(last_error_at, now()) end,
      case when account_problem is not null then 1 else 0 end,
      case when account_problem is not null then coalesce(open_until, now()) end,
      tokens, refilled_at
    from connection_state`.execute(db);
  await sql`insert into connection_breaker (kind, call, last_ok_at, last_error, last_error_at)
    select connection, 'send', last_ok_at, last_error, last_error_at from connection_state`.execute(db);
  await sql`drop table connection_state`.execute(db);

  // Which kinds there are is the registry's to say: a new one needs no migration.
  await sql`alter table empresa drop constraint empresa_conexion_check`.execute(db);
  await sql`alter table credential drop constraint credential_connection_check`.execute(db);
}
