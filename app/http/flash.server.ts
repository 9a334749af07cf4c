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
/** When a script first read a notice, in ms since the epoch. */
const Visto = z.object({ id: z.string(), en: z.number() });

/** The notice for the next page; scripts cannot read it. */
const cookie = ownCookie('aviso', { maxAge: 60 });
/** What was read of it stands in a cookie of its own: a late answer that says so would else put the notice of before over the next one. */
const visto = ownCookie('avisoVisto', { maxAge: 60 });

/** Longest cookie in characters. Browsers drop a longer one silently, so a long notice leaves without its button. */
const MAX_COOKIE = 4_000;

/** Returns the cookie with a notice for the next page. */
export async function flash(texto: string, { dura, deshacer }: Pick<Aviso, 'dura' | 'deshacer'> = {}): Promise<string> {
  const aviso = { id: randomUUID(), texto, ...(dura !== undefined && { dura }) };
  const whole = deshacer && (await cookie.write({ ...aviso, deshacer }));
  return whole && whole.length <= MAX_COOKIE ? whole : cookie.write(aviso);
}

/**
 * How long scripts may read a notice again: an answer that another one overtakes is thrown away with the notice in it. A notice with a longer time of its own, as
 * of an act that can be undone meanwhile, may be read as long as that.
 */
const AGAIN_MS = 5_000;

/**
 * Returns the notice that waits, if any, and the cookie to set, if any. A page that the browser loads takes the notice away. A page that a script reads leaves the notice
 * to other scripts for a moment, under the same id, so that whoever showed it knows it.
 */
export async function takeFlash(request: Request): Promise<{ aviso: Aviso; cookie: string | null } | null> {
  const { data: aviso } = Aviso.safeParse(await cookie.read(request));
  if (!aviso) return null;
  const { data: lectura } = Visto.safeParse(await visto.read(request));
  const leido = lectura?.id === aviso.id ? lectura.en : null;
  if (request.headers.get('Sec-Fetch-Dest') !== 'empty')
    return leido === null ? { aviso, cookie: await cookie.forget() } : null;
  if (leido === null) return { aviso, cookie: await visto.write({ id: aviso.id, en: Date.now() }) };
  return Date.now() - leido < Math.max(AGAIN_MS, aviso.dura ?? 0) ? { aviso, cookie: null } : null;
}
