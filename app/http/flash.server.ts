import { randomUUID } from 'node:crypto';
import { ownCookie } from '~/core/cookie.server';
import { z } from 'zod';

/** The form of a notice's 'Deshacer', which is sent to the address of the act. */
const Deshacer = z.object({ action: z.string(), campos: z.record(z.string(), z.string()) });
const Aviso = z.object({
  id: z.string(),
  texto: z.string(),
  dura: z.number().optional().catch(undefined),
  deshacer: Deshacer.optional().catch(undefined),
});
type Aviso = z.output<typeof Aviso>;

/** Returns the cookie with a notice for the next page; scripts cannot read it. */
const cookie = ownCookie('aviso', { maxAge: 60 });

/** Longest cookie in characters. Browsers drop a longer one silently, so a long notice leaves without its button. */
const MAX_COOKIE = 4_000;

export async function flash(texto: string, { dura, deshacer }: Pick<Aviso, 'dura' | 'deshacer'> = {}): Promise<string> {
  const aviso = { id: randomUUID(), texto, ...(dura !== undefined && { dura }) };
  const whole = deshacer && (await cookie.write({ ...aviso, deshacer }));
  return whole && whole.length <= MAX_COOKIE ? whole : cookie.write(aviso);
}

/** Returns the notice that waits, if any, and the cookie that removes it. */
export async function takeFlash(request: Request): Promise<{ aviso: Aviso; forget: string } | null> {
  const { data: aviso } = Aviso.safeParse(await cookie.read(request));
  return aviso ? { aviso, forget: await cookie.forget() } : null;
}
