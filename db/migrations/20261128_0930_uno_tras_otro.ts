import { type Kysely, sql } from 'kysely';

/**
 * Two writers of one sale pass `libro_of` one after the other: its rows are locked first, so the statement that adds up sees what the writer before
 * committed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create or replace function libro_of(ordenes uuid[]) returns void language sql as $$
    select 1 from libro_venta where orden_id = any(ordenes) order by orden_id for update;
    insert into libro_venta as l (orden_id, fecha, pagado, cobrado, acreditado, documentos)
    select o.id, o.fecha_creacion,
      case when o.clase in ('cancelada', 'devuelta') or o.meli_resale
        or o.situacion not in ('pagada', 'devueltaEnParte', 'devuelta') or o.pagado_abs <= 0 then 0 else o.pagado_abs end,
      c.cobrado, n.acreditado, c.documentos
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
}
