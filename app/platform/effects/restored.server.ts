import { sql } from 'kysely';
import type { Trx } from '~db/client.server';
import type { EffectState } from '~db/columns';
import type { EffectCatalog, Subject } from './definition';
import { canonicalJson, hashOf } from './effects.server';

const ADOPTADO = 'Se adoptó del PAC, que lo tenía y aquí faltaba.';
const QUIZA_HECHO = 'Volvió de un respaldo: quizá ya se hizo del otro lado.';

/**
 * Doubts all open effects after a backup was restored: what waited to be sent may have been sent since. Effects whose kind can be looked for are
 * looked for before they may be sent, and the others wait for people.
 */
export async function doubtOpenEffects(trx: Trx, catalog: EffectCatalog): Promise<void> {
  const [findable, others] = [new Array<string>(), new Array<string>()];
  for (const { type, find, unclear } of catalog.values()) (find && unclear === 'find' ? findable : others).push(type);
  await sql`
    update effect
    set state = 'unknown', unknown_at = coalesce(unknown_at, now()), sent_at = coalesce(sent_at, now()), finds = 0,
      lease_owner = null, lease_until = null, next_at = now(), reason = ${QUIZA_HECHO}
    where state in ('queued', 'sending', 'unknown') and type = any(${findable}::text[])`.execute(trx);
  await sql`
    update effect
    set state = 'manual', lease_owner = null, lease_until = null, reason = ${QUIZA_HECHO}
    where state in ('queued', 'sending', 'unknown') and type = any(${others}::text[])`.execute(trx);
}

/** Doubts one effect that was accepted since: the machine that is gone may have asked for the same. For a kind that can be looked for. */
export async function doubtEffect(trx: Trx, id: string): Promise<void> {
  await sql`
    update effect
    set state = 'unknown', unknown_at = now(), sent_at = now(), reason = ${QUIZA_HECHO}
    where id = ${id} and state = 'queued'`.execute(trx);
}

/**
 * A thing that the far side holds under a reference of ours which we no longer know. The request of its effect is gone; the document tells what it
 * was.
 */
export type Adopted = {
  type: string;
  connection: string;
  key: string;
  ref: string;
  subjects: readonly Subject[];
  evidence: unknown;
};

/**
 * Writes the ended effect that did an adopted thing, and returns its id. When an effect has that reference already, its state is returned and nothing
 * is written.
 */
export async function adoptEffect(trx: Trx, adopted: Adopted): Promise<{ id: string } | { state: EffectState }> {
  const { type, connection, key, ref, subjects, evidence } = adopted;
  const living = await trx
    .selectFrom('effect')
    .select('state')
    .where('connection', '=', connection)
    .where('ref', '=', ref)
    .where('state', 'not in', ['refused', 'cancelled'])
    .executeTakeFirst();
  if (living) return { state: living.state };
  const request = canonicalJson({ adoptado: ref });
  const { id } = await trx
    .insertInto('effect')
    .values({
      type,
      connection,
      key,
      ref,
      request,
      requestHash: hashOf(request),
      state: 'done',
      settledAt: sql<Date>`now()`,
      result: JSON.stringify(evidence),
      reason: ADOPTADO,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('effectSubject')
    .values(subjects.map(([entidad, entidadId]) => ({ effectId: id, entidad, entidadId })))
    .execute();
  return { id };
}
