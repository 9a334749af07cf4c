import { sql } from 'kysely';
import type { Db, Trx } from '~db/client.server';
import type { Destinatario, Directorio } from './directorio';

/** Whom each supplier is written to: its active agents, or its own address when it has none. */
export async function readDirectorio(db: Db | Trx): Promise<Directorio> {
  const { rows } = await sql<Destinatario>`
    select p.value as proveedor, p.label,
      coalesce(array_agg(distinct a.email order by a.email) filter (where a.email is not null), array_remove(array[nullif(p.email, '')], null)) as emails
    from proveedor p left join agente_venta a on a.proveedor = p.value and a.activo group by p.value, p.label, p.email`.execute(
    db,
  );
  return Object.fromEntries(rows.map((row) => [row.proveedor, row]));
}
