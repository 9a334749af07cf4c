import type { Trx } from '~db/client.server';
import { openSession } from '~/domain/cuentas/sesiones.server';
import type { Usuario } from '~/domain/cuentas/usuario';
import { findSession, sessionCookie } from './session.server';

/**
 * Runs a change that ends every session of the person who makes it, and gives this browser a new one in the same transaction: other
 * devices are out, this one stays. Returns the cookie to send.
 */
export async function keepingOwnSession(
  trx: Trx,
  request: Request,
  usuario: Usuario,
  change: () => Promise<void>,
): Promise<string> {
  const recordar = (await findSession(trx, request))?.recordar ?? false;
  await change();
  return sessionCookie(await openSession(trx, usuario, recordar), recordar);
}
