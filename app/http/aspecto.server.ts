import { isApariencia, PREFERENCIAS, type Apariencia } from '~/core/aspecto';
import { ownCookie } from '~/core/cookie.server';

/** A mirror of what the person's own row says, for a page that is made without asking who looks at it. */
const cookie = ownCookie('apariencia', { maxAge: 400 * 86_400 });

export async function readApariencia(request: Request): Promise<Apariencia> {
  const value = await cookie.read(request);
  return isApariencia(value) ? value : PREFERENCIAS.apariencia;
}

/** The cookie that a browser needs to know what this person chose; null when it knows. */
export async function mirrorApariencia(request: Request, apariencia: Apariencia): Promise<string | null> {
  return (await readApariencia(request)) === apariencia ? null : cookie.write(apariencia);
}
