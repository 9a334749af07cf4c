import { randomUUID } from 'node:crypto';
import { createCookie } from '@remix-run/node';

/** A notice for the next page, carried by a cookie scripts cannot read. */
const cookie = createCookie('aviso', { path: '/', httpOnly: true, sameSite: 'lax', maxAge: 60 });

export function flash(texto: string): Promise<string> {
  return cookie.serialize({ id: randomUUID(), texto });
}

/** The notice waiting, if any, and the cookie that forgets it. */
export async function takeFlash(
  request: Request,
): Promise<{ aviso: { id: string; texto: string }; forget: string } | null> {
  const value: unknown = await cookie.parse(request.headers.get('Cookie'));
  if (typeof value !== 'object' || value === null || !('texto' in value) || !('id' in value)) return null;
  return {
    aviso: { id: String(value.id), texto: String(value.texto) },
    forget: await cookie.serialize('', { maxAge: 0 }),
  };
}
