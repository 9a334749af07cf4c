import { log } from '~/core/log.server';
import { readHttpDate } from '~/core/time';

/** Difference that is told and reckoned with, in ms. The header of an answer has whole seconds and is as old as its way. */
const TOLD_MS = 30_000;
/** A difference beyond this is a far side's own fault, and nobody's time follows it. */
const BELIEVED_MS = 24 * 3_600_000;

const ahead = new Map<string, number>();

/** Notes by how much this machine is ahead of a far side, from the header `Date` of an answer. An answer out of a cache tells no time. */
export function noteFarClock(side: string, headers: Headers, now = Date.now()): void {
  const said = readHttpDate(headers.get('date') ?? '');
  if (!said || headers.has('age')) return;
  const ms = now - said.getTime();
  const before = ahead.get(side) ?? 0;
  const counts = ms > TOLD_MS && ms < BELIEVED_MS;
  ahead.set(side, counts ? ms : 0);
  if (counts && before === 0)
    log.warn('el reloj de esta máquina va adelante del de otro lado', { lado: side, adelantoMs: ms });
}

/**
 * Returns the ms by which this machine was ahead of a far side at its last answer; 0 when it was not, or never heard. Whoever asks for what changed until
 * now has heard until that side's own now.
 */
export const aheadOf = (side: string): number => ahead.get(side) ?? 0;
