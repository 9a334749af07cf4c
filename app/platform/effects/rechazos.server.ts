import { explainRechazo, type Rechazo } from '~/core/rechazo';
import { sealedWith, unseal } from '~/core/seal.server';
import { keyring } from '~/platform/connections/credentials.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import type { Db } from '~db/client.server';
import type { Subject } from './definition';
import { effectsAbout } from './subjects.server';

/**
 * Returns the no of the far side that ended the last effect about a subject: the field, its words, the remedy and the answer as it came. Null when the last
 * effect was not refused, or was refused here before anything left.
 */
export async function readRechazo(db: Db, subject: Subject): Promise<Rechazo | null> {
  const last = await effectsAbout(db, subject)
    .select(['effect.id', 'effect.state', 'effect.connection', 'effect.reason', 'effect.detail'])
    .orderBy('effect.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last?.state !== 'refused') return null;
  const sealed = await answerOf(db, last.id);
  if (!sealed) return null;
  // A detail of one word is for machines.
  const palabras = [last.reason, last.detail?.includes(' ') && last.detail].filter(Boolean).join(' · ');
  const side = CONNECTIONS.find(last.connection) ?? { label: last.connection };
  return explainRechazo(side, { palabras, codigo: last.detail ?? '', respuesta: openAnswer(last.id, sealed) });
}

/** Returns the sealed exchanges of the attempt that was refused; undefined when nothing left. */
async function answerOf(db: Db, effectId: string): Promise<Buffer | undefined> {
  const attempt = await db
    .selectFrom('effectAttempt')
    .select('sealed')
    .where('effectId', '=', effectId)
    .where('outcome', '=', 'refused')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return attempt?.sealed ?? undefined;
}

type Exchange = { status: number | null; responseBody: string };

/** Returns the last answer of an attempt, as it came; null when its seal is of a key that is gone. */
function openAnswer(effectId: string, sealed: Buffer): string | null {
  const ring = keyring();
  if (!ring.keys.has(sealedWith(sealed))) return null;
  const exchanges = JSON.parse(unseal(ring, sealed, `effect:${effectId}`).toString('utf8')) as Exchange[];
  return exchanges.at(-1)?.responseBody ?? null;
}
