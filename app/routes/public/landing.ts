import { redirect } from '@remix-run/node';
import { env } from '~/core/env.server';

/** Redirects to our shop's own site where there is one. */
export function loader() {
  return redirect(env().LANDING_URL || '/');
}
