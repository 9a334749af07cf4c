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
const Guardado = Aviso.extend({
  /** When a script first read the notice, in ms since the epoch. */
  leido: z.number().optional().catch(undefined),
});

/** Returns the cookie with a notice for the next page; scripts cannot read it. */
const cookie = ownCookie('aviso', { maxAge: 60 });

/** Longest cookie in characters. Browsers drop a longer one silently, so a long notice leaves without its button. */
const MAX_COOKIE = 4_000;

export async function flash(texto: string, { dura, deshacer }: Pick<Aviso, 'dura' | 'deshacer'> = {}): Promise<string> {
  const aviso = { id: randomUUID(), texto, ...(dura !== undefined && { dura }) };
  const whole = deshacer && (await cookie.write({ ...aviso, deshacer }));
  return whole && whole.length <= MAX_COOKIE ? whole : cookie.write(aviso);
}

/** How long scripts may read a notice again: an answer that another one overtakes is thrown away with the notice in it. */
const AGAIN_MS = 5_000;

/**
 * Returns the notice that waits, if any, and the cookie to set. A page that the browser loads takes the notice away. A page that a script reads leaves the notice
 * to other scripts for a moment, under the same id, so that whoever showed it knows it.
 */
export async function takeFlash(request: Request): Promise<{ aviso: Aviso; cookie: string } | null> {
  const { data: guardado } = Guardado.safeParse(await cookie.read(request));
  if (!guardado) return null;
  const { leido, ...aviso } = guardado;
  if (request.headers.get('Sec-Fetch-Dest') !== 'empty')
    return leido === undefined ? { aviso, cookie: await cookie.forget() } : null;
  const rest = (leido ?? Date.now()) + AGAIN_MS - Date.now();
  if (rest <= 0) return null;
  return { aviso, cookie: await cookie.write({ ...aviso, leido: leido ?? Date.now() }, Math.ceil(rest / 1_000)) };
}
