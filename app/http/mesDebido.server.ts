import { redirect } from '@remix-run/node';
import { withParams } from '~/core/list';

/** Sends a person who opens a screen of months without naming one to the month that is due. An address with a month, or with a field that is none, stays. */
export function openAtMes(request: Request, debido: string): void {
  const { search, searchParams } = new URL(request.url);
  if (!searchParams.has('mes')) throw redirect(withParams(search, { mes: debido, index: null, _routes: null }));
}
