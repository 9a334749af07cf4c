import { type Kysely, sql } from 'kysely';

/** The CFDI de retenciones of marketplaces: what each of them reports to the SAT of a month. Its XML is a file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table retencion_cfdi (
    id              uuid primary key default uuidv7(),
    uuid            text not null unique check (uuid = upper(uuid)),
    archivo_id      uuid not null references archivo,
    market          text not null check (market in ('ml', 'amz')),
    emisor_rfc      text not null,
    emisor_nombre   text not null,
    emitido_en      timestamptz not null,
    desde           text not null check (desde ~ '^[0-9]{4}-[0-9]{2}$'),
    mes             text not null check (mes ~ '^[0-9]{4}-[0-9]{2}$'),
    servicios       integer not null check (servicios >= 0),
    sin_iva         numeric(14, 2) not null check (sin_iva >= 0),
    iva             numeric(14, 2) not null check (iva >= 0),
    isr_retenido    numeric(14, 2) not null check (isr_retenido >= 0),
    iva_retenido    numeric(14, 2) not null check (iva_retenido >= 0),
    retenido        numeric(14, 2) not null check (retenido >= 0),
    uso_plataforma  numeric(14, 2) not null check (uso_plataforma >= 0),
    otro_mes        numeric(14, 2) not null check (otro_mes >= 0),
    observaciones   text[] not null default '{}',
    sustituye       text check (sustituye <> uuid),
    usuario_id      uuid references usuario,
    creado_en       timestamptz not null default now(),
    check (desde <= mes)
  )`.execute(db);
  await sql`create index retencion_cfdi_by_mes on retencion_cfdi (mes, market)`.execute(db);
  await sql`create index retencion_cfdi_by_emisor on retencion_cfdi (emisor_rfc)`.execute(db);
  await sql`create index retencion_cfdi_sustituye on retencion_cfdi (sustituye) where sustituye is not null`.execute(
    db,
  );
  await sql`create index retencion_cfdi_by_archivo on retencion_cfdi (archivo_id)`.execute(db);
}
