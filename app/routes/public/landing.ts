import { redirect } from '@remix-run/node';
import { env } from '~/core/env.server';

/** The external redirect page: our shop's own site when there is one. */
export function loader() {
  return redirect(env().LANDING_URL || '/');
}
