import { type Kysely, sql } from 'kysely';

/**
 * The promotions that a marketplace holds of a listing, what each would leave, and the reading of them with its age. A reading that failed stands beside them
 * and changes none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table publicacion_promociones (
    publicacion_id uuid primary key references publicacion on delete cascade,
    excluida boolean,
    excluida_en timestamptz,
    dicho text,
    dicho_en timestamptz,
    leida_en timestamptz,
    error text,
    error_en timestamptz,
    negada smallint not null default 0 check (negada >= 0),
    pedir_en timestamptz not null default now(),
    check ((excluida is null) = (excluida_en is null)),
    check ((dicho is null) = (dicho_en is null)),
    check ((error is null) = (error_en is null))
  )`.execute(db);
  await sql`create table publicacion_promocion (
    id uuid primary key default uuidv7(),
    publicacion_id uuid not null references publicacion on delete cascade,
    clave text not null,
    tipo text not null,
    promocion text,
    nombre text not null,
    estado text check (estado in ('candidata', 'programada', 'activa')),
    palabra text not null,
    precio numeric(14, 2) check (precio > 0),
    original numeric(14, 2) check (original > 0),
    pone numeric(5, 2) check (pone between 0 and 100),
    ponemos numeric(5, 2) check (ponemos between 0 and 100),
    desde timestamptz,
    hasta timestamptz,
    solo_alla text,
    corre_desde timestamptz,
    ingreso numeric(14, 2) check (ingreso > 0),
    queda numeric(14, 2),
    margen numeric(18, 6),
    estima text[] not null default '{}',
    porque text,
    bajo boolean,
    unique (publicacion_id, clave),
    check ((queda is null) = (margen is null)),
    check ((queda is null) = (bajo is null)),
    check ((corre_desde is not null) = (estado is not null and estado in ('programada', 'activa')))
  )`.execute(db);
  await sql`create index publicacion_promocion_bajo on publicacion_promocion (publicacion_id) where bajo and corre_desde is not null`.execute(
    db,
  );
  await sql`alter table sync_run drop constraint sync_run_kind_check`.execute(db);
  await sql`alter table sync_run add constraint sync_run_kind_check
    check (kind in ('sweep', 'cancelled', 'missed', 'atencion', 'publicaciones', 'publicacionesNuevas', 'competencia', 'promociones', 'liquidacion'))`.execute(
    db,
  );
}
