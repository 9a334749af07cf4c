import { withVuelta } from '~/core/vuelta';
import { endEntrada, startEntrada, type Autenticado } from '~/domain/personal/signIn.server';
import { readInicio } from '~/domain/personal/preferencias.server';
import { rememberDispositivo } from '~/domain/personal/dispositivos.server';
import { closeSession, openSession } from '~/domain/personal/sesiones.server';
import type { Usuario } from '~/core/usuario';
import type { Db } from '~db/client.server';
import {
  comienzoOf,
  dispositivoCookie,
  endedEntradaCookie,
  entradaCookie,
  readDispositivo,
  readEntrada,
  readToken,
  sessionCookie,
} from './session.server';

/** Tokens that a browser brings to the door: a session, a password that waits for its code, and the mark of an earlier entry. */
export async function broughtBy(request: Request) {
  return {
    token: await readToken(request),
    entrada: await readEntrada(request),
    dispositivo: await readDispositivo(request),
  };
}
export type Brought = Awaited<ReturnType<typeof broughtBy>>;

type Opens = { to: string; headers: [string, string][] };

/** Answers the right password: with a session, or with the page that asks for a code. */
export async function afterPassword(
  db: Db,
  usuario: Autenticado,
  brought: Brought,
  { recordar, volver }: { recordar: boolean; volver: string | null },
): Promise<Opens> {
  if (!usuario.faltaCodigo) return enter(db, { ...usuario, recordar }, brought, { volver });
  const entrada = await startEntrada(db, usuario, recordar);
  return {
    to: withVuelta('/login/codigo', volver),
    headers: [['Set-Cookie', await entradaCookie(entrada)]],
  };
}

/** Opens a session for a person who showed all that was asked. The browser leaves with new tokens, never with those that it brought. */
export async function enter(
  db: Db,
  usuario: Pick<Usuario, 'id' | 'rol'> & { version: number; recordar: boolean; segundoFactorEn: Date | 'ahora' | null },
  { token: before, entrada, dispositivo: known }: Brought,
  { volver, recordarCodigo = false }: { volver: string | null; recordarCodigo?: boolean },
): Promise<Opens> {
  if (before) await closeSession(db, before);
  const { recordar, segundoFactorEn } = usuario;
  const [token, dispositivo] = await db.transaction().execute(async (trx) => {
    if (entrada) await endEntrada(trx, entrada);
    return [
      await openSession(trx, usuario, recordar, segundoFactorEn),
      await rememberDispositivo(trx, usuario.id, known, { conCodigo: recordarCodigo }),
    ];
  });
  return {
    to: comienzoOf(usuario, volver, await readInicio(db, usuario.id)),
    headers: [
      ['Set-Cookie', await sessionCookie(token, recordar)],
      ['Set-Cookie', await dispositivoCookie(dispositivo)],
      ...(entrada ? [['Set-Cookie', await endedEntradaCookie()] satisfies [string, string]] : []),
    ],
  };
}
