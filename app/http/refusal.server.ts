import { LimitReached, type NotAllowed } from '~/core/errors';

/** A quota that is used up says when to come back, whatever the status of other refusals. */
export function statusOf(refusal: NotAllowed, status = 422): ResponseInit {
  return refusal instanceof LimitReached
    ? { status: refusal.status, headers: { 'Retry-After': String(refusal.retryAfterSeconds) } }
    : { status };
}
