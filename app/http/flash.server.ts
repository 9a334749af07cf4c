import { randomUUID } from 'node:crypto';
import { ownCookie } from '~/core/cookie.server';
import { z } from 'zod';

/** What a notice offers to take back: the form that does it, sent to where the act was. */
const Deshacer = z.object({ action: z.string(), campos: z.record(z.string(), z.string()) });
const Aviso = z.object({
  id: z.string(),
  texto: z.string(),
  dura: z.number().optional().catch(undefined),
  deshacer: Deshacer.optional().catch(undefined),
});
type Aviso = z.output<typeof Aviso>;

/** A notice for the next page, carried by a cookie scripts cannot read. */
const cookie = ownCookie('aviso', { maxAge: 60 });

/** Browsers drop a longer one without a word; a notice without its button is better than none. */
const MAX_COOKIE = 4_000;

export async function flash(texto: string, { dura, deshacer }: Pick<Aviso, 'dura' | 'deshacer'> = {}): Promise<string> {
  const aviso = { id: randomUUID(), texto, ...(dura !== undefined && { dura }) };
  const whole = deshacer && (await cookie.write({ ...aviso, deshacer }));
  return whole && whole.length <= MAX_COOKIE ? whole : cookie.write(aviso);
}

/** The notice waiting, if any, and the cookie that forgets it. */
export async function takeFlash(request: Request): Promise<{ aviso: Aviso; forget: string } | null> {
  const { data: aviso } = Aviso.safeParse(await cookie.read(request));
  return aviso ? { aviso, forget: await cookie.forget() } : null;
}
