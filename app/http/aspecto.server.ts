import { isApariencia, PREFERENCIAS, type Apariencia } from '~/core/aspecto';
import { ownCookie } from '~/core/cookie.server';

/** Cookie with a person's choice of colours, for pages that are drawn before anybody asks who looks. */
const cookie = ownCookie('apariencia', { maxAge: 400 * 86_400 });

export async function readApariencia(request: Request): Promise<Apariencia> {
  const value = await cookie.read(request);
  return isApariencia(value) ? value : PREFERENCIAS.apariencia;
}

/** Returns the cookie that brings a browser up to date with what this person chose; null when the browser is up to date. */
export async function mirrorApariencia(request: Request, apariencia: Apariencia): Promise<string | null> {
  return (await readApariencia(request)) === apariencia ? null : cookie.write(apariencia);
}
