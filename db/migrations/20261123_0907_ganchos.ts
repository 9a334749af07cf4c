import { type Kysely, sql } from 'kysely';

/** Who wants to be told of what happens here, what happened, and how far each of them was told. What nobody wants leaves no row. */
export async function up(db: Kysely<unknown>) {
  const TIPOS = sql.raw(
    `'orden.creada', 'orden.actualizada', 'factura.timbrada', 'factura.cancelada', 'pedido.actualizado', 'pregunta.nueva', 'reclamo.nuevo', 'stock.movido'`,
  );

  // `fallos` on end, `espera_hasta`: it does not answer, and is left alone until then. `tomado_hasta`: somebody delivers to it.
  await sql`create table gancho (
    id               uuid primary key default uuidv7(),
    nombre           text not null check (length(nombre) between 1 and 60),
    url              text not null check (length(url) between 1 and 500),
    tipos            text[] not null check (cardinality(tipos) > 0 and tipos <@ array[${TIPOS}]),
    secreto          bytea not null,
    secreto_anterior bytea,
    anterior_hasta   timestamptz,
    fallos           integer not null default 0,
    espera_hasta     timestamptz,
    tomado_hasta     timestamptz,
    creado_por       uuid references usuario,
    creado_en        timestamptz not null default now(),
    version          integer not null default 1,
    check ((secreto_anterior is null) = (anterior_hasta is null))
  )`.execute(db);

  // `cuerpo` is what all who want it get, however often it is sent. One transaction tells of one thing once.
  await sql`create table gancho_evento (
    id           uuid primary key default uuidv7(),
    tipo         text not null check (tipo in (${TIPOS})),
    entidad_id   text not null,
    ocurrido_en  timestamptz not null default now(),
    cuerpo       text,
    repartido_en timestamptz,
    unique (tipo, entidad_id, ocurrido_en)
  )`.execute(db);
  await sql`create index gancho_evento_por_repartir on gancho_evento (id) where repartido_en is null`.execute(db);

  await sql`create table gancho_entrega (
    id           uuid primary key default uuidv7(),
    gancho_id    uuid not null references gancho on delete cascade,
    evento_id    uuid not null references gancho_evento on delete cascade,
    estado       text not null default 'pendiente' check (estado in ('pendiente', 'entregada', 'muerta')),
    intentos     integer not null default 0,
    proximo_en   timestamptz not null default now(),
    vence_en     timestamptz not null default now() + interval '24 hours',
    status       integer,
    detalle      text,
    terminada_en timestamptz,
    unique (evento_id, gancho_id)
  )`.execute(db);
  await sql`create index gancho_entrega_por_salir on gancho_entrega (gancho_id, proximo_en, id) where estado = 'pendiente'`.execute(
    db,
  );
  await sql`create index gancho_entrega_by_gancho on gancho_entrega (gancho_id, id desc)`.execute(db);
  await sql`create index gancho_entrega_muerta on gancho_entrega (gancho_id, id desc) where estado = 'muerta'`.execute(
    db,
  );

  // One job for each transaction: two that are under way at once wait for nothing of each other.
  await sql`create function gancho_avisar(cual text, ids text[]) returns void language plpgsql as $$
    begin
      if coalesce(cardinality(ids), 0) = 0 then return; end if;
      insert into gancho_evento (tipo, entidad_id) select cual, id from unnest(ids) id on conflict do nothing;
      perform graphile_worker.add_job('ganchos.repartir', '{}'::json, max_attempts := 3,
        job_key := 'ganchos.repartir:' || pg_current_xact_id()::text);
    end $$`.execute(db);
  await sql`create function gancho_quiere(cual text) returns boolean language sql stable
    return exists (select from gancho where cual = any(tipos))`.execute(db);

  const trigger = async (table: string, name: string, event: 'insert' | 'update', body: string) => {
    const rows = event === 'insert' ? 'new table as after' : 'old table as before new table as after';
    await sql`create function ${sql.raw(name)}() returns trigger language plpgsql as $$
      begin
        ${sql.raw(body)}
        return null;
      end $$`.execute(db);
    await sql
      .raw(
        `create trigger ${name} after ${event} on ${table} referencing ${rows} for each statement execute function ${name}()`,
      )
      .execute(db);
  };
  const avisar = (cual: string, from: string, id = 'a.id') =>
    `if gancho_quiere('${cual}') then perform gancho_avisar('${cual}', (select array_agg((${id})::text) from ${from})); end if;`;

  await trigger('orden', 'gancho_orden_creada', 'insert', avisar('orden.creada', 'after a'));
  // A sale that was made by this very transaction is told as new.
  await trigger(
    'orden',
    'gancho_orden_actualizada',
    'update',
    avisar(
      'orden.actualizada',
      `after a join before b using (id) where (a.version, a.estatus, a.clase, a.facturado) is distinct from (b.version, b.estatus, b.clase, b.facturado)
        and a.creada_en <> now()`,
      'id',
    ),
  );
  await trigger('factura', 'gancho_factura_timbrada', 'insert', avisar('factura.timbrada', 'after a'));
  await trigger(
    'factura',
    'gancho_factura_cancelada',
    'update',
    avisar(
      'factura.cancelada',
      `after a join before b using (id) where a.estatus = 'cancelada' and b.estatus <> 'cancelada'`,
      'id',
    ),
  );
  await trigger('pedido', 'gancho_pedido_creado', 'insert', avisar('pedido.actualizado', 'after a'));
  await trigger(
    'pedido',
    'gancho_pedido_actualizado',
    'update',
    avisar(
      'pedido.actualizado',
      'after a join before b using (id) where (a.version, a.estado) is distinct from (b.version, b.estado)',
      'id',
    ),
  );
  // What was answered or closed before we read it for the first time is history.
  await trigger(
    'pregunta',
    'gancho_pregunta_nueva',
    'insert',
    avisar('pregunta.nueva', `after a where a.estatus = 'pendiente'`),
  );
  await trigger(
    'reclamo',
    'gancho_reclamo_nuevo',
    'insert',
    avisar('reclamo.nuevo', `after a where a.estatus = 'abierto'`),
  );
  await trigger('stock_movimiento', 'gancho_stock_movido', 'insert', avisar('stock.movido', 'after a'));
}
