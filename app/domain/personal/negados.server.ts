import type { Db } from '~db/client.server';
import { record } from '~/platform/bitacora.server';
import { takeRate } from '~/platform/rateLimit.server';

/** Lines that one person's refusals leave in the bitacora. */
const LINES = { hits: 20, seconds: 3_600 };

/**
 * Tells the bitacora who was refused what their role or token does not open (403), and from where. `donde` is the route or the call, without its
 * values. A flood leaves so many lines an hour, the last of which tells that there were more.
 */
export async function recordNegado(
  db: Db,
  usuario: { id: string; rol: string },
  { donde, direccion, motivo = 'rol' }: { donde: string; direccion: string; motivo?: string },
): Promise<void> {
  const line = await takeRate(db, `bitacora:negado:${usuario.id}`, LINES);
  if (!line.allowed) return;
  await record(db, {
    usuarioId: usuario.id,
    entidad: 'acceso',
    entidadId: donde,
    accion: 'negar',
    datos: { rol: usuario.rol, motivo, direccion, ...(line.last && { masSinAnotar: true }) },
  });
}
