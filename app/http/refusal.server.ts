import { LimitReached, type NotAllowed } from '~/core/errors';

/** Returns the status of a refusal. A quota that is used up has its own, with Retry-After. */
export function statusOf(refusal: NotAllowed, status = 422): ResponseInit {
  return refusal instanceof LimitReached
    ? { status: refusal.status, headers: { 'Retry-After': String(refusal.retryAfterSeconds) } }
    : { status };
}
