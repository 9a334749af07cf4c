import { lugarOf } from '~/access/session.server';
import { type Lugar, readSession } from '~/domain/personal/sesiones.server';
import { PREFIJO, readTokenApi } from '~/domain/personal/tokensApi.server';
import type { Usuario } from '~/core/usuario';
import type { Db } from '~db/client.server';
import { alcanceLabel } from './alcances';
import { alcanceOf, rolesOf, wantsProof, type Call } from './call.server';
import { ApiProblem } from './problem.server';

const TITULO = 'Error de autenticación.';

/** The caller of the API: the person, and the token of the call. */
export type Caller = { usuario: Usuario; alcances: string[] | null; sesion: string | null; probada: boolean };

/** Reads the bearer of a request; null when it has none. Cookies are not read, so no page of another site can make a browser call. */
export async function readCaller(db: Db, request: Request, ip?: string): Promise<Caller | null> {
  const said = request.headers.get('Authorization');
  if (said === null) return null;
  const token = /^Bearer +([\w~+/.-]{1,200}=*) *$/i.exec(said)?.[1];
  if (!token) throw unknown();
  return readCallerOf(db, token, lugarOf(request, ip));
}

/** Returns the caller of a token. Throws 401 for a token that opens nothing any more. */
export async function readCallerOf(db: Db, token: string, lugar?: Lugar): Promise<Caller> {
  const found = token.startsWith(PREFIJO) ? await ofProgram(db, token) : await ofSession(db, token, lugar);
  if (!found) throw unknown();
  return found;
}

async function ofProgram(db: Db, token: string): Promise<Caller | null> {
  const found = await readTokenApi(db, token);
  return found && { usuario: found.usuario, alcances: found.alcances, sesion: null, probada: false };
}

async function ofSession(db: Db, token: string, lugar: Lugar | undefined): Promise<Caller | null> {
  const sesion = await readSession(db, token, lugar);
  if (!sesion) return null;
  if (sesion.debeActivar)
    throw new ApiProblem(
      'segundo-factor-requerido',
      'Tu rol necesita la verificación en dos pasos. Actívala en la aplicación y vuelve a entrar.',
      { titulo: TITULO },
    );
  return { usuario: sesion.usuario, alcances: null, sesion: token, probada: sesion.probada };
}

export const unknown = () =>
  new ApiProblem('sin-autenticar', 'El token no existe, venció o se revocó.', {
    titulo: TITULO,
    headers: { 'WWW-Authenticate': 'Bearer realm="trastienda"' },
  });

/**
 * Throws 403 for a caller who may not make a call. The role is checked first, as screens do, and then the permissions of the token. A right that a
 * role loses is lost by the role's tokens at once.
 */
export function requireCall(caller: Caller, call: Call): void {
  const { usuario, alcances, probada } = caller;
  if (!rolesOf(call).includes(usuario.rol))
    throw new ApiProblem('sin-permiso', 'El rol de este usuario no tiene acceso a esta pagina.', { titulo: TITULO });
  if (alcances && call.acceso !== 'sesion' && !alcances.includes(alcanceOf(call)))
    throw new ApiProblem('sin-permiso', `Este token no tiene el permiso «${alcanceLabel(alcanceOf(call))}».`, {
      titulo: TITULO,
    });
  if (wantsProof(call) && !probada)
    throw new ApiProblem(
      'prueba-requerida',
      'Esto pide una contraseña dada hace un momento: entra otra vez con POST /api/usuario/login y repítelo con ese token.',
      { titulo: TITULO },
    );
}
