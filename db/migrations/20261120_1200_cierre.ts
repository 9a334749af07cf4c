import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // What a bulk run is about, so that two people who press the same button meet the same one: a month, 'YYYY-MM'.
  await sql`alter table batch add column clave text not null default ''`.execute(db);
  await sql`create index batch_by_clave on batch (type, clave, id desc) where clave <> ''`.execute(db);

  // What of a factura's total belongs to each of its ordenes, where the factura has one concept for several of them.
  await sql`alter table factura_orden add column importe numeric(14, 2) check (importe > 0)`.execute(db);
  // The factura this one replaces (TipoRelacion 04), and a factura being prepared to replace one.
  await sql`alter table factura add column sustituye_id uuid references factura`.execute(db);
  await sql`create index factura_by_sustituye on factura (sustituye_id) where sustituye_id is not null`.execute(db);
  await sql`alter table factura_draft add column sustituye_id uuid references factura`.execute(db);

  // A sale that was in a stamped global and whose customer asked for a factura: the global owes a credit note for it.
  await sql`create table refacturacion (
    id         uuid primary key default uuidv7(),
    orden_id   uuid not null references orden,
    global_id  uuid not null references factura,
    effect_id  uuid not null references effect,
    factura_id uuid references factura,
    creada_en  timestamptz not null default now(),
    unique (orden_id, global_id)
  )`.execute(db);
  await sql`create index refacturacion_by_effect on refacturacion (effect_id)`.execute(db);
  await sql`create index refacturacion_by_factura on refacturacion (factura_id) where factura_id is not null`.execute(
    db,
  );
  await sql`create index refacturacion_by_global on refacturacion (global_id)`.execute(db);

  // What a credit note takes back: of each orden in each factura once, whichever list asks, and never more than the factura charged.
  await sql`create table nota_credito_orden (
    factura_id uuid not null references factura,
    orden_id   uuid not null references orden,
    effect_id  uuid not null references effect,
    nota_id    uuid references factura,
    importe    numeric(14, 2) not null check (importe >= 0),
    creada_en  timestamptz not null default now(),
    primary key (factura_id, orden_id)
  )`.execute(db);
  await sql`create index nota_credito_orden_by_effect on nota_credito_orden (effect_id)`.execute(db);
  await sql`create index nota_credito_orden_by_nota on nota_credito_orden (nota_id) where nota_id is not null`.execute(
    db,
  );
  await sql`create index nota_credito_orden_by_orden on nota_credito_orden (orden_id)`.execute(db);
  await sql`create function guard_nota_credito() returns trigger language plpgsql as $$
    begin
      -- Two that credit the same factura pass here one after the other.
      perform 1 from factura where id in (select factura_id from nuevas) order by id for no key update;
      if exists (
        select from factura f join nota_credito_orden n on n.factura_id = f.id
        where f.id in (select factura_id from nuevas) group by f.id having sum(n.importe) > f.total
      ) then
        raise exception 'las notas de crédito pasan del total de la factura' using errcode = 'check_violation';
      end if;
      return null;
    end $$`.execute(db);
  await sql`create trigger nota_credito_orden_limit after insert on nota_credito_orden
    referencing new table as nuevas for each statement execute function guard_nota_credito()`.execute(db);

  // A cancellation asked of the SAT, from the asking to its answer.
  await sql`create table cancelacion (
    id           uuid primary key default uuidv7(),
    factura_id   uuid not null references factura,
    effect_id    uuid not null unique references effect,
    motivo       text not null check (motivo in ('01', '02', '03', '04')),
    sustituto_id uuid references factura,
    estado       text not null default 'solicitada' check (estado in ('solicitada', 'enProceso', 'cancelada', 'rechazada')),
    respuesta    text,
    acuse_id     uuid references archivo,
    usuario_id   uuid references usuario,
    pedida_en    timestamptz not null default now(),
    revisada_en  timestamptz,
    resuelta_en  timestamptz,
    check ((motivo = '01') = (sustituto_id is not null)),
    check ((estado in ('cancelada', 'rechazada')) = (resuelta_en is not null))
  )`.execute(db);
  await sql`create unique index one_open_cancelacion on cancelacion (factura_id) where estado in ('solicitada', 'enProceso')`.execute(
    db,
  );
  await sql`create index cancelacion_by_factura on cancelacion (factura_id, id)`.execute(db);
  await sql`create index cancelacion_open on cancelacion (revisada_en) where estado = 'enProceso'`.execute(db);
}
