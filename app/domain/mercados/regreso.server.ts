import { record } from '~/platform/bitacora.server';
import type { Activador } from '~/platform/connections/oauth.server';
import type { Db } from '~db/client.server';
import type { Activacion } from './activacion';
import { listFuentes } from './registro.server';

/** No shop has a longer number. */
const MAX_TIENDA = 80;

/**
 * Ends an activation with what a marketplace sent back, or goes on with one that began at the marketplace's own page (`to`). The adapter that
 * knows the fields answers; fields that no adapter knows end as 'vencida'. Tokens in an address have been in a browser's history and in logs: none of
 * them is kept ('conLlaves').
 */
export async function finishActivacion(
  db: Db,
  usuario: Activador,
  said: Readonly<Record<string, string | undefined>>,
): Promise<Activacion | { to: string }> {
  if (said.shop_id !== undefined) {
    await recordTercerCanal(db, usuario, said.shop_id);
    return 'tercerCanal';
  }
  for (const { regreso } of listFuentes()) {
    const ended = await regreso?.(db, usuario, said);
    if (ended !== undefined) return ended;
  }
  if (said.token_type !== undefined || said.access_token !== undefined) return 'conLlaves';
  return Object.keys(said).length === 0 ? 'sinDatos' : 'vencida';
}

/** Records a return of a channel that has no screen. Nothing of the return is kept but that it happened. */
async function recordTercerCanal(db: Db, usuario: Activador, shopId: string): Promise<void> {
  await record(db, {
    usuarioId: usuario.id,
    entidad: 'credential',
    entidadId: 'tercerCanal',
    accion: 'regresar',
    datos: { tienda: shopId.slice(0, MAX_TIENDA) },
  });
}
