import { randomUUID } from 'node:crypto';
import { ownCookie } from '~/core/cookie.server';

/** A notice for the next page, carried by a cookie scripts cannot read. */
const cookie = ownCookie('aviso', { maxAge: 60 });

export function flash(texto: string, dura?: number): Promise<string> {
  return cookie.write({ id: randomUUID(), texto, ...(dura !== undefined && { dura }) });
}

/** The notice waiting, if any, and the cookie that forgets it. */
export async function takeFlash(
  request: Request,
): Promise<{ aviso: { id: string; texto: string; dura?: number }; forget: string } | null> {
  const value = await cookie.read(request);
  if (typeof value !== 'object' || value === null || !('texto' in value) || !('id' in value)) return null;
  const dura = 'dura' in value && typeof value.dura === 'number' ? { dura: value.dura } : {};
  return { aviso: { id: String(value.id), texto: String(value.texto), ...dura }, forget: await cookie.forget() };
}
