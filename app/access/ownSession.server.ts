import type { Trx } from '~db/client.server';
import { openSession } from '~/domain/cuentas/sesiones.server';
import type { Usuario } from '~/domain/cuentas/usuario';
import { changePassword } from '~/domain/cuentas/usuarios.server';
import { findSession, sessionCookie } from './session.server';

/**
 * Changes one's own password. That ends every session of the person, and gives this browser a new one in the same transaction: other devices are out, this one
 * stays. Returns the cookie to send.
 */
export async function changeOwnPassword(
  trx: Trx,
  request: Request,
  usuario: Usuario,
  password: string,
): Promise<string> {
  const recordar = (await findSession(trx, request))?.recordar ?? false;
  await changePassword(trx, usuario, usuario.id, password);
  return sessionCookie(await openSession(trx, usuario, recordar), recordar);
}
