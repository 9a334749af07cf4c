import { REQUERIDO } from '~/core/fields';
import { NotAllowed } from '~/core/errors';
import type { Db } from '~db/client.server';
import { requirePassword } from '~/domain/personal/prueba.server';
import { openSession } from '~/domain/personal/sesiones.server';
import type { Usuario } from '~/core/usuario';
import { changePassword, type UsuarioVisto } from '~/domain/personal/usuarios.server';
import { findSession, sessionCookie } from './session.server';

type Cambio = UsuarioVisto & { passwordActual?: string | null; password: string };

/**
 * Changes the person's own password; the current one must be known. Every session of the person ends, and this browser gets a new one in the same
 * transaction, so other devices are out and this one stays. Returns the cookie to send.
 */
export async function changeOwnPassword(
  db: Db,
  { request, ip }: { request: Request; ip: string },
  usuario: Usuario,
  { passwordActual, password, ...visto }: Cambio,
): Promise<string> {
  const at = { ip, titulo: 'Error de actualización.', campo: 'passwordActual' };
  if (!passwordActual) throw new NotAllowed(at.titulo, REQUERIDO, at);
  await requirePassword(db, usuario, passwordActual, at);
  const { recordar = false, segundoFactorEn = null } = (await findSession(db, request)) ?? {};
  const token = await db.transaction().execute(async (trx) => {
    await changePassword(trx, usuario, usuario.id, password, visto);
    return openSession(trx, usuario, recordar, segundoFactorEn);
  });
  return sessionCookie(token, recordar);
}
