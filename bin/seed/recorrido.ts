/** The begin of the demo's tour: what its seed wrote before counts as nobody's act. */
import { sql } from 'kysely';
import { DESDE_EL_RECORRIDO } from '~/domain/operacion/recorrido.server';
import type { Db } from '../../db/client.server';

export async function seedRecorrido(db: Db): Promise<void> {
  await sql`
    insert into ajuste (clave, valor) select ${DESDE_EL_RECORRIDO}, to_jsonb(coalesce(max(id), 0)) from bitacora
    on conflict (clave) do nothing`.execute(db);
}
