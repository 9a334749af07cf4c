import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '~db/client.server';

/** A record that can be looked at by several people: its noun and its id; a sale is named by its number, which its factura is made of. */
export const Que = z.string().regex(/^(?:pregunta|reclamo|factura|pedido|venta):[\w-]{1,64}$/);

/** Sent by a page while a record is open in it. `escribe`: something was typed there in the last seconds. */
export const Estoy = z.object({ que: Que, escribe: z.stringbool().default(false) });

/** Another person who has the record open. */
export type Otro = { nombre: string; escribe: boolean };

/** A page says every six seconds that it is there; two beats may be lost. */
const GONE_MS = 15_000;

/** Notes that a person has a record open. Others read it for fifteen seconds; older rows are taken away. */
export async function notePresence(db: Db, { que, escribe }: z.infer<typeof Estoy>, usuarioId: string): Promise<void> {
  await sql`
    with gone as (
      delete from presencia where visto_en < now() - ${GONE_MS} * interval '1 ms' and (que, usuario_id) <> (${que}, ${usuarioId}::uuid))
    insert into presencia (que, usuario_id, escribe) values (${que}, ${usuarioId}, ${escribe})
    on conflict (que, usuario_id) do update set escribe = excluded.escribe, visto_en = now()`.execute(db);
}

/** Lists the other people who have a record open now, those who write first. */
export async function listPresent(db: Db, que: string, usuarioId: string): Promise<Otro[]> {
  return db
    .selectFrom('presencia')
    .innerJoin('usuario', 'usuario.id', 'presencia.usuarioId')
    .select(['usuario.nombre', 'presencia.escribe'])
    .where('que', '=', que)
    .where('usuarioId', '<>', usuarioId)
    .where('vistoEn', '>', sql<Date>`now() - ${GONE_MS} * interval '1 ms'`)
    .orderBy('escribe', 'desc')
    .orderBy('nombre')
    .limit(5)
    .execute();
}
