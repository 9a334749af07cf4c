import { sql } from 'kysely';
import type { Db } from '~db/client.server';

/** Sales that are named in one transaction: a sale that somebody acts on waits for a moment and no longer. */
const TRAMO = 1_000;
/** Sales of one night. */
const POR_NOCHE = 1_000_000;

/**
 * Writes the words of the buyer (`orden.documentos`) into the sales that were kept before searches knew buyers, the newest first. Goes on where the night before
 * ended; does nothing once all are named. Returns how many sales were looked at.
 */
export async function nameOrdenes(db: Db): Promise<number> {
  for (let vistas = 0; ;) {
    const tramo = await db.transaction().execute(async (trx) => {
      const { rows: por } = await sql<{ antesDe: string }>`select antes_de from orden_por_nombrar for update`.execute(
        trx,
      );
      const [pendiente] = por;
      if (!pendiente) return 0;
      const { rows } = await sql<{ id: string }>`
        select id from orden where id < ${pendiente.antesDe} order by id desc limit ${TRAMO}`.execute(trx);
      const ids = rows.map(({ id }) => id);
      await sql`select documentos_of(${ids}::uuid[])`.execute(trx);
      if (ids.length < TRAMO) await sql`delete from orden_por_nombrar`.execute(trx);
      else await sql`update orden_por_nombrar set antes_de = ${ids.at(-1)}`.execute(trx);
      return ids.length;
    });
    vistas += tramo;
    if (tramo < TRAMO || vistas >= POR_NOCHE) return vistas;
  }
}
