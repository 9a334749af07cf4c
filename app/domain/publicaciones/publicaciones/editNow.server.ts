import { isDoneSoon } from '~/platform/effects/effects.server';
import type { Db } from '~db/client.server';
import type { PublicacionEditada } from './publicacionForm';
import { editPublicacion } from './publicaciones.server';

/** Changes a listing and waits a moment for its marketplace. True when it stands there, false while that has not answered. */
export async function editNow(db: Db, editada: PublicacionEditada, usuarioId: string): Promise<boolean> {
  const aceptado = await db.transaction().execute((trx) => editPublicacion(trx, editada, usuarioId));
  return aceptado === null || isDoneSoon(db, aceptado.id, 'Error al actualizar: ');
}
