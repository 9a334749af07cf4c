import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // What the shipment of a cart was paid with (null: nobody told yet), and the buyer's share of its cost as the marketplace reckons it.
  await sql`alter table envio add pagos jsonb, add costo_comprador numeric(14, 2)`.execute(db);

  // Of `pagado_abs`: the shipping inside its own payments, and what the shipment of its cart tells, which one orden of the cart carries.
  // `cambio_en` is the version of the search row that announced it last; `cargos_en` when the charges of its payments were read last.
  await sql`alter table orden
    add envio_en_pagos numeric(14, 2) not null default 0,
    add envio_carrito numeric(14, 2) not null default 0,
    add comision_leida numeric(14, 2),
    add cargos_en timestamptz,
    add liberacion_en timestamptz,
    add cambio_en timestamptz`.execute(db);

  await sql`update orden set envio_en_pagos = dentro.importe
    from (select o.id, sum((p.pago ->> 'shipping_cost')::numeric) as importe
      from orden o, jsonb_array_elements(case jsonb_typeof(o.datos -> 'payments') when 'array' then o.datos -> 'payments' else '[]' end) as p(pago)
      where p.pago ->> 'operation_type' is distinct from 'payment_addition' and p.pago ->> 'shipping_cost' ~ '^\\d+(\\.\\d+)?$'
        and (p.pago ->> 'status' = 'approved'
          or (o.clase in ('cancelada', 'devuelta') and p.pago ->> 'status' in ('refunded', 'charged_back', 'in_mediation')))
      group by o.id having sum((p.pago ->> 'shipping_cost')::numeric) > 0) dentro
    where orden.id = dentro.id`.execute(db);

  // Carts whose buyer may have paid for shipping: what they paid with has not been read.
  await sql`update orden set revisar_en = now() from envio
    where envio.id = orden.envio_id and orden.pack_id is not null and envio.cobrado > 0
      and orden.fecha_creacion > now() - interval '120 days'`.execute(db);

  // The notice that came last: the same one again, after it was worked on, tells nothing.
  await sql`alter table inbox add notice_id text`.execute(db);
}
