import type { AppLoadContext } from '@remix-run/node';
import { Authenticator } from 'remix-auth';
import { FormStrategy } from 'remix-auth-form';
import type { Db, Trx } from '~db/client.server';
import { ownCookie } from '~/core/cookie.server';
import { isStorable } from '~/core/text';
import { DISPOSITIVO_SECONDS } from '~/domain/personal/dispositivos.server';
import { authenticate, ENTRADA_SECONDS, type Autenticado } from '~/domain/personal/signIn.server';
import { type Lugar, readSession, SESSION_SECONDS, type Sesion } from '~/domain/personal/sesiones.server';
import type { Usuario } from '~/core/usuario';
import { inicioOf } from './menu';
import { SCREENS } from './screens';

/** The cookie of a session. Its value is an opaque token; the row behind the token can be taken away at once. */
const cookie = ownCookie('sesion');

/** The cookie of a browser in which somebody entered before; it opens nothing by itself. */
const dispositivo = ownCookie('dispositivo', { maxAge: DISPOSITIVO_SECONDS });

/** The cookie of a browser in which a password was given a moment ago and a code is owed. */
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

/** Returns the session of a request; null without one, and for one that only the API takes. With the address of the caller the session remembers where it was used. */
export async function findSession(
  db: Db | Trx,
  request: Request,
  ip?: string,
): Promise<(Sesion & { token: string }) | null> {
  const token = await readToken(request);
  const sesion = token && (await readSession(db, token, lugarOf(request, ip)));
  return sesion && !sesion.soloApi ? { ...sesion, token } : null;
}

/**
 * Returns the cookie of a session. With 'Recordarme' the cookie lasts 30 days; without, it goes when the browser closes, and the session ends after 12
 * unused hours.
 */
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

/** Returns the cookie that a browser needs about the session it came with: when its end moved, or when its name is from before the prefix. */
export async function cookiesToRenew(request: Request, sesion: Sesion & { token: string }): Promise<string[]> {
  const isPlain = tokenOf(await cookie.read(request)) === null && tokenOf(await cookie.readPlain(request)) !== null;
  return [
    ...(sesion.renewed || isPlain ? [await sessionCookie(sesion.token, sesion.recordar)] : []),
    ...(isPlain ? [await cookie.forgetPlain()] : []),
  ];
}

/** Returns where a request comes from, for the list of one's own sessions. */
export function lugarOf(request: Request, ip: string | undefined): Lugar | undefined {
  if (ip === undefined) return undefined;
  const navegador = request.headers.get('User-Agent')?.slice(0, 300) ?? null;
  return { direccion: ip, navegador: navegador !== null && isStorable(navegador) ? navegador : null };
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

/** Returns the person who looks at this screen. The guard put the person into the context before the screen ran. */
export function usuarioOf(context: AppLoadContext): Usuario {
  if (!context.usuario) throw new Error('this route is not behind the guard');
  return context.usuario;
}

/** Returns the session of the person who looks at this screen. */
export function sesionOf(context: AppLoadContext): Sesion & { token: string } {
  if (!context.sesion) throw new Error('this route is not behind the guard');
  return context.sesion;
}

/**
 * Returns where to go after signing in: the address that was asked for, when it lies in the person's own area or a marketplace sent the person there;
 * else the home. The address is never on another site.
 */
export function landingOf(usuario: Pick<Usuario, 'rol'>, volver: string | null): string {
  const home = `/${usuario.rol}`;
  if (!volver || !/^\/[\w\-./?=&%+~:]*$/.test(volver) || volver.startsWith('//')) return home;
  const path = new URL(volver, 'http://nadie.invalid').pathname;
  const activa = path === '/activacion' && (SCREENS.tokens.roles as readonly string[]).includes(usuario.rol);
  // The page behind a label belongs to no area.
  return activa || path === home || path.startsWith(`${home}/`) || path.startsWith('/siqr/') ? volver : home;
}

/** Returns where a session begins: at the address that was asked for, or at the screen that its person starts on. */
export function comienzoOf(usuario: Pick<Usuario, 'rol'>, volver: string | null, elegida: string | null): string {
  const to = landingOf(usuario, volver);
  return to === `/${usuario.rol}` ? inicioOf(usuario.rol, elegida) : to;
}
