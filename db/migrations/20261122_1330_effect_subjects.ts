import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // What an effect is about. Asked by what it is about, newest first (ids grow with time), and by the effect.
  await sql`create table effect_subject (
    effect_id   uuid not null references effect on delete cascade,
    entidad     text not null,
    entidad_id  text not null,
    primary key (effect_id, entidad, entidad_id)
  )`.execute(db);

  // Effects from before there were subjects tell them by their request, each kind by its own. No key is read after this.
  await sql`insert into effect_subject (effect_id, entidad, entidad_id)
    select e.id, s.entidad, s.entidad_id from effect e cross join lateral (
      select 'orden' as entidad, jsonb_array_elements_text(e.request -> 'ordenIds') as entidad_id
        where e.type in ('cfdi.stamp', 'cfdi.notaCredito') and jsonb_typeof(e.request -> 'ordenIds') = 'array'
      union select 'venta', (e.request ->> 'market') || ':' || (e.request ->> 'numOrden') where e.type in ('cfdi.stamp', 'cfdi.notaCredito')
      union select 'sustituida', e.request #>> '{sustituye,facturaId}' where e.type = 'cfdi.stamp'
      union select 'factura', e.request ->> 'facturaId' where e.type in ('cfdi.notaCredito', 'cfdi.cancel', 'factura.mail', 'ml.fiscalDocument')
      union select 'mes', e.request ->> 'mes' where e.type = 'cfdi.global'
      union select 'orden', o.orden ->> 'id' from jsonb_path_query(e.request, 'lax $.ventas[*].ordenes[*]') o (orden) where e.type = 'cfdi.global'
      union select 'receptor', e.request #>> '{cfdi,receptor,rfc}' where e.type in ('cfdi.stamp', 'cfdi.notaCredito', 'cfdi.global')
      union select 'rfc', e.request #>> '{cliente,rfc}' where e.type in ('pac.client', 'pac.publicClient')
      union select 'cliente', e.request ->> 'uid' where e.type = 'pac.client'
      union select 'notaSencilla', e.request ->> 'notaId' where e.type = 'nota.mail'
      union select 'enlace', e.request ->> 'enlaceId' where e.type in ('enlace.mail', 'enlace.message')
      union select 'venta', 'ml:' || (e.request ->> 'numOrden') where e.type = 'enlace.message'
      union select 'orden', e.request ->> 'ordenId' where e.type = 'proveedor.mail'
      union select 'condicion', e.request ->> 'clave' where e.type = 'condicion.mail'
      union select 'envio', e.request ->> 'envioId' where e.type = 'ml.shipment'
    ) s where s.entidad_id is not null`.execute(db);

  await sql`create index effect_subject_by_subject on effect_subject (entidad, entidad_id, effect_id)`.execute(db);
  // Of all effects the few that were to replace a factura, by their time: a refused one is looked for among those of a month.
  await sql`create index effect_subject_sustituida on effect_subject (effect_id, entidad_id) where entidad = 'sustituida'`.execute(
    db,
  );
  await sql`drop index effect_sustitucion_refused`.execute(db);

  // Facts of a document: the client of the PAC it was stamped to; of a credit note, the factura it takes back from and why.
  await sql`alter table factura add column receptor_uid text, add column origen_id uuid references factura,
    add column motivo text check (motivo in ('refacturacion', 'devuelta')),
    add constraint only_a_credit_note_takes_back check (tipo = 'notaCredito' or (origen_id is null and motivo is null))`.execute(
    db,
  );
  await sql`update factura set receptor_uid = e.request #>> '{cfdi,receptor,uid}'
    from effect e where e.id = factura.effect_id and e.request #>> '{cfdi,receptor,uid}' is not null`.execute(db);
  await sql`update factura n set origen_id = o.id, motivo = case when e.request ->> 'motivo' in ('refacturacion', 'devuelta') then e.request ->> 'motivo' end
    from effect e join factura o on o.id::text = e.request ->> 'facturaId'
    where n.tipo = 'notaCredito' and e.id = n.effect_id`.execute(db);

  // The numbers of a month's globals: a row for each time one was asked for.
  await sql`create table global_numero (
    effect_id uuid primary key references effect on delete cascade,
    mes       text not null check (mes ~ '^[0-9]{4}-[0-9]{2}$'),
    numero    integer not null check (numero >= 1)
  )`.execute(db);
  await sql`insert into global_numero (effect_id, mes, numero)
    select id, request ->> 'mes', (request ->> 'numero')::int from effect
    where type = 'cfdi.global' and request ->> 'mes' is not null and request ->> 'numero' is not null`.execute(db);
  await sql`create index global_numero_by_mes on global_numero (mes, numero, effect_id desc)`.execute(db);

  await sql`analyze effect_subject, global_numero`.execute(db);
}
