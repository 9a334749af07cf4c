import { isDoneSoon } from '~/platform/effects/effects.server';
import type { Db } from '~db/client.server';
import type { PublicacionEditada } from './forms';
import { editPublicacion } from './publicaciones.server';

/** Changes a listing and waits a moment. Returns true when the change stands at the marketplace, false while the marketplace has not answered. */
export async function editNow(db: Db, editada: PublicacionEditada, usuarioId: string): Promise<boolean> {
  const aceptado = await db.transaction().execute((trx) => editPublicacion(trx, editada, usuarioId));
  return aceptado === null || isDoneSoon(db, aceptado.id, 'Error al actualizar: ');
}
