import { type Kysely, sql } from 'kysely';

/**
 * What stays paid of sales that came back before this was kept. Only documents that tell payments apart from the sale can say that all of them stand; the next
 * reading says it of any other. Apart from the new columns, whose lock lets nobody read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const pagos = sql`jsonb_array_elements(case jsonb_typeof(datos -> 'payments') when 'array' then datos -> 'payments' else '[]' end) p`;
  await sql`update orden set en_pie = pagado_abs - envio_carrito
    where clase = 'devuelta' and pagado_abs > envio_carrito
      and exists (select from ${pagos} where p ->> 'status' = 'approved')
      and not exists (select from ${pagos}
        where p ->> 'status' in ('refunded', 'charged_back', 'in_mediation') or (p ->> 'transaction_amount_refunded')::numeric > 0)`.execute(
    db,
  );
}
