import { type Kysely, sql } from 'kysely';

/**
 * Money of a settlement that is of no sale here: one row for all lines that share a number, with what they are. A person's reason is out of a closed list.
 * The rows follow from `movimiento`, and go when its lines found their sale.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table suelto (
    id          uuid primary key default uuidv7(),
    market      text not null check (market in ('ml', 'amz')),
    clave       text not null,
    clase       text not null check (clase in ('venta', 'cobro', 'publicidad', 'impuesto', 'cargo', 'abono')),
    numero      text,
    detalle     text not null,
    importe     numeric(14, 2) not null,
    lineas      integer not null,
    desde       timestamptz not null,
    hasta       timestamptz not null,
    deposito_id uuid references deposito on delete cascade,
    pedido_en   timestamptz,
    buscado_en  timestamptz,
    hallazgo    text,
    motivo      text check (motivo in ('publicidad', 'impuesto', 'cuenta', 'bonificacion', 'otroCanal', 'anterior', 'reclamado')),
    motivo_por  uuid references usuario,
    motivo_en   timestamptz,
    version     integer not null default 1,
    unique (market, clave)
  )`.execute(db);
  await sql`create index suelto_por_fecha on suelto (hasta desc, id desc)`.execute(db);
  await sql`create index suelto_abierto on suelto (hasta) where motivo is null`.execute(db);
}
