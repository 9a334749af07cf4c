import { explainRechazo, type Rechazo } from '~/core/rechazo';
import { sealedWith, unseal } from '~/core/seal.server';
import { keyring } from '~/platform/connections/credentials.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import type { Db } from '~db/client.server';
import type { Subject } from './definition';
import { effectsAbout } from './subjects.server';

/**
 * Returns the no that ended the last effect about a subject: the field, the far side's words, the remedy and the answer as it came. Null when the last effect
 * was not refused. With `de`, only effects whose type begins so count.
 */
export async function readRechazo(db: Db, subject: Subject, de = ''): Promise<Rechazo | null> {
  const last = await effectsAbout(db, subject)
    .$if(de !== '', (some) => some.where('effect.type', 'like', `${de}%`))
    .select(['effect.id', 'effect.state', 'effect.connection', 'effect.reason', 'effect.detail'])
    .orderBy('effect.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last?.state !== 'refused') return null;
  // A detail of one word is for machines.
  const palabras = [last.reason, last.detail?.includes(' ') && last.detail].filter(Boolean).join(' · ');
  const side = CONNECTIONS.find(last.connection) ?? { label: last.connection };
  return explainRechazo(side, { palabras, codigo: last.detail ?? '', respuesta: await answerOf(db, last.id) });
}

type Exchange = { status: number | null; responseBody: string };

/** Returns the answer that refused an effect, as it came; null when none was kept, or its seal is of a key that is gone. */
async function answerOf(db: Db, effectId: string): Promise<string | null> {
  const attempt = await db
    .selectFrom('effectAttempt')
    .select('sealed')
    .where('effectId', '=', effectId)
    .where('outcome', '=', 'refused')
    .where('sealed', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const ring = keyring();
  if (!attempt?.sealed || !ring.keys.has(sealedWith(attempt.sealed))) return null;
  const exchanges = JSON.parse(unseal(ring, attempt.sealed, `effect:${effectId}`).toString('utf8')) as Exchange[];
  return exchanges.at(-1)?.responseBody ?? null;
}
