import { type Kysely, sql } from 'kysely';

/** The paid amount of a sale that is ours to invoice: 0 for a sale that ended, was never paid, or that the marketplace resells. */
const PAGADO = sql`case when o.clase in ('cancelada', 'devuelta') or o.meli_resale
    or o.situacion not in ('pagada', 'devueltaEnParte', 'devuelta') or o.pagado_abs <= 0 then 0 else o.pagado_abs end`;

/**
 * One row per orden tells its fiscal balance: charged in standing documents, less credited, less paid net of refunds. Triggers keep the sums, so no
 * reader adds them up again. A factura may owe several notes for one orden: a part of the money first, the rest later.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table nota_credito_orden
    add parcial boolean not null default false,
    drop constraint nota_credito_orden_pkey,
    add constraint nota_credito_orden_pkey primary key (factura_id, orden_id, effect_id)`.execute(db);
  await sql`create unique index one_whole_note_per_orden on nota_credito_orden (factura_id, orden_id) where not parcial`.execute(
    db,
  );
  await sql`alter table factura
    drop constraint factura_motivo_check,
    add constraint factura_motivo_check check (motivo in ('refacturacion', 'devuelta', 'parcial'))`.execute(db);

  await sql`create table libro_venta (
    orden_id   uuid primary key references orden on delete cascade,
    fecha      timestamptz not null,
    pagado     numeric(14, 2) not null,
    cobrado    numeric(14, 2) not null default 0,
    acreditado numeric(14, 2) not null default 0,
    documentos integer not null default 0,
    diferencia numeric(14, 2) not null generated always as (cobrado - acreditado - pagado) stored
  )`.execute(db);
  await sql`insert into libro_venta (orden_id, fecha, pagado, cobrado, acreditado, documentos)
    select o.id, o.fecha_creacion, ${PAGADO}, coalesce(c.cobrado, 0), coalesce(n.acreditado, 0), coalesce(c.documentos, 0)
    from orden o
      left join (
        select fo.orden_id, sum(coalesce(fo.importe, x.pagado_abs)) as cobrado, count(*) as documentos
        from factura_orden fo join factura f on f.id = fo.factura_id and f.estatus <> 'cancelada' join orden x on x.id = fo.orden_id
        group by 1
      ) c on c.orden_id = o.id
      left join (
        select n.orden_id, sum(n.importe) as acreditado
        from nota_credito_orden n join factura f on f.id = n.factura_id and f.estatus <> 'cancelada' group by 1
      ) n on n.orden_id = o.id`.execute(db);
  await sql`create index libro_venta_abierto on libro_venta (fecha) include (diferencia, documentos, pagado) where diferencia <> 0`.execute(
    db,
  );
  await sql`create index libro_venta_por_fecha on libro_venta (fecha) include (pagado, cobrado, acreditado, diferencia)`.execute(
    db,
  );

  await sql`create function libro_of(ordenes uuid[]) returns void language sql as $$
    insert into libro_venta as l (orden_id, fecha, pagado, cobrado, acreditado, documentos)
    select o.id, o.fecha_creacion, ${PAGADO}, c.cobrado, n.acreditado, c.documentos
    from orden o
      cross join lateral (
        select coalesce(sum(coalesce(fo.importe, o.pagado_abs)), 0) as cobrado, count(*) as documentos
        from factura_orden fo join factura f on f.id = fo.factura_id and f.estatus <> 'cancelada' where fo.orden_id = o.id
      ) c
      cross join lateral (
        select coalesce(sum(n.importe), 0) as acreditado
        from nota_credito_orden n join factura f on f.id = n.factura_id and f.estatus <> 'cancelada' where n.orden_id = o.id
      ) n
    where o.id = any(ordenes) order by o.id
    on conflict (orden_id) do update set fecha = excluded.fecha, pagado = excluded.pagado, cobrado = excluded.cobrado,
      acreditado = excluded.acreditado, documentos = excluded.documentos
    where (l.fecha, l.pagado, l.cobrado, l.acreditado, l.documentos)
      is distinct from (excluded.fecha, excluded.pagado, excluded.cobrado, excluded.acreditado, excluded.documentos) $$`.execute(
    db,
  );
  await sql`create function libro_of_ordenes() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into libro_venta (orden_id, fecha, pagado) select o.id, o.fecha_creacion, ${PAGADO} from after o;
      else
        perform libro_of(moved.ids) from (
          select array_agg(o.id) as ids from after o join before b using (id)
          where (o.clase, o.situacion, o.pagado_abs, o.meli_resale, o.fecha_creacion)
            is distinct from (b.clase, b.situacion, b.pagado_abs, b.meli_resale, b.fecha_creacion)
        ) moved where moved.ids is not null;
      end if;
      return null;
    end $$`.execute(db);
  await sql`create function libro_of_documentos() returns trigger language plpgsql as $$
    begin
      perform libro_of(array(select distinct orden_id from changed));
      return null;
    end $$`.execute(db);
  await sql`create function libro_of_factura() returns trigger language plpgsql as $$
    begin
      perform libro_of(array(select orden_id from factura_orden where factura_id = new.id));
      return null;
    end $$`.execute(db);
  await sql`create trigger orden_libro_added after insert on orden referencing new table as after
    for each statement execute function libro_of_ordenes()`.execute(db);
  await sql`create trigger orden_libro_changed after update on orden referencing old table as before new table as after
    for each statement execute function libro_of_ordenes()`.execute(db);
  for (const table of ['factura_orden', 'nota_credito_orden']) {
    const name = (when: string) => sql.ref(`${table}_libro_${when}`);
    await sql`create trigger ${name('added')} after insert on ${sql.table(table)} referencing new table as changed
      for each statement execute function libro_of_documentos()`.execute(db);
    await sql`create trigger ${name('removed')} after delete on ${sql.table(table)} referencing old table as changed
      for each statement execute function libro_of_documentos()`.execute(db);
  }
  await sql`create trigger factura_libro after update of estatus on factura for each row
    when ((old.estatus = 'cancelada') <> (new.estatus = 'cancelada')) execute function libro_of_factura()`.execute(db);
}
