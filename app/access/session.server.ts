import type { AppLoadContext } from '@remix-run/node';
import { Authenticator } from 'remix-auth';
import { FormStrategy } from 'remix-auth-form';
import type { Db, Trx } from '~db/client.server';
import { ownCookie } from '~/core/cookie.server';
import { DISPOSITIVO_SECONDS } from '~/domain/personal/dispositivos.server';
import { authenticate, ENTRADA_SECONDS, type Autenticado } from '~/domain/personal/signIn.server';
import { readSession, SESSION_SECONDS, type Sesion } from '~/domain/personal/sesiones.server';
import type { Usuario } from '~/core/usuario';
import { SCREENS } from './screens';

/** The value is an opaque token and nothing else: what it means is a row, which can be taken away at once. */
const cookie = ownCookie('sesion');

/** Says in which browser somebody entered before, and opens nothing by itself. */
const dispositivo = ownCookie('dispositivo', { maxAge: DISPOSITIVO_SECONDS });

/** Says that somebody gave their password here a moment ago and owes a code. */
const entrada = ownCookie('entrada', { maxAge: ENTRADA_SECONDS });

const tokenOf = (value: unknown) =>
  typeof value === 'string' && value.length > 0 && value.length <= 100 ? value : null;

export async function readToken(request: Request): Promise<string | null> {
  return tokenOf(await cookie.read(request)) ?? tokenOf(await cookie.readPlain(request));
}

export async function readDispositivo(request: Request): Promise<string | null> {
  return tokenOf(await dispositivo.read(request));
}

export async function readEntrada(request: Request): Promise<string | null> {
  return tokenOf(await entrada.read(request));
}

export async function findSession(db: Db | Trx, request: Request): Promise<(Sesion & { token: string }) | null> {
  const token = await readToken(request);
  const sesion = token && (await readSession(db, token));
  return sesion ? { ...sesion, token } : null;
}

/** Recordarme on: kept 30 days. Off: gone when the browser closes, and after 12 unused hours on the server. */
export function sessionCookie(token: string, recordar: boolean): Promise<string> {
  return cookie.write(token, recordar ? SESSION_SECONDS.recordar : undefined);
}

export function dispositivoCookie(token: string): Promise<string> {
  return dispositivo.write(token);
}

export function entradaCookie(token: string): Promise<string> {
  return entrada.write(token);
}

export function endedEntradaCookie(): Promise<string> {
  return entrada.forget();
}

export function endedCookie(): Promise<string> {
  return cookie.forget();
}

/** What a browser has to be told about the session it came with: an end that moved, or a name from before the prefix. */
export async function cookiesToRenew(request: Request, sesion: Sesion & { token: string }): Promise<string[]> {
  const isPlain = tokenOf(await cookie.read(request)) === null && tokenOf(await cookie.readPlain(request)) !== null;
  return [
    ...(sesion.renewed || isPlain ? [await sessionCookie(sesion.token, sesion.recordar)] : []),
    ...(isPlain ? [await cookie.forgetPlain()] : []),
  ];
}

/** Checked by remix-auth's form strategy. Throws NotAllowed with the one answer there is. */
export function signIn(
  db: Db,
  who: { usuario: string; password: string; ip: string; dispositivo: string | null },
): Promise<Autenticado> {
  const authenticator = new Authenticator<Autenticado>().use(new FormStrategy(() => authenticate(db, who)));
  // The strategy reads a form of its own: the request's was read, and parsed, before anybody is asked who they are.
  return authenticator.authenticate(
    'form',
    new Request('http://nadie.invalid', { method: 'POST', body: new FormData() }),
  );
}

/** Who is looking at this screen. The guard put it there before the screen ran. */
export function usuarioOf(context: AppLoadContext): Usuario {
  if (!context.usuario) throw new Error('this route is not behind the guard');
  return context.usuario;
}

/** The session of who is looking at this screen. */
export function sesionOf(context: AppLoadContext): Sesion & { token: string } {
  if (!context.sesion) throw new Error('this route is not behind the guard');
  return context.sesion;
}

/** Where to go after signing in: the address asked for when it lies in the person's own area, or is where a marketplace sent them, else their home. Never another site. */
export function landingOf(usuario: Pick<Usuario, 'rol'>, volver: string | null): string {
  const home = `/${usuario.rol}`;
  if (!volver || !/^\/[\w\-./?=&%+~:]*$/.test(volver) || volver.startsWith('//')) return home;
  const path = new URL(volver, 'http://nadie.invalid').pathname;
  const activa = path === '/activacion' && (SCREENS.tokens.roles as readonly string[]).includes(usuario.rol);
  // What a label leads to belongs to no area.
  return activa || path === home || path.startsWith(`${home}/`) || path.startsWith('/siqr/') ? volver : home;
}
