import { redirect } from '@remix-run/node';
import { withParams } from '~/core/list';
import { civilDay } from '~/core/time';

/** Sends a person who opens a screen of months without naming one to the month that is due. An address with a month, or with a field that is none, stays. */
export function openAtMes(request: Request, debido: string): void {
  const { search, searchParams } = new URL(request.url);
  if (!searchParams.has('mes')) throw redirect(withParams(search, { mes: debido, index: null, _routes: null }));
}

/** Parameters by which an address of a report says what it is of. */
const SAYS = ['mes', 'desde', 'hasta', 'rango', 'q', 'cuales', 'cambio', 'contra', 'el'];

/**
 * Sends a person who opens a report without saying of when to the month with which it opens (`mes`), where that is not the current one: on the first days of a month the
 * report would be empty. `by` is the parameter that says it.
 */
export async function openWithRows(request: Request, by: 'mes' | 'rango', mes: () => Promise<string>): Promise<void> {
  const { search, searchParams } = new URL(request.url);
  if (SAYS.some((name) => searchParams.has(name))) return;
  const con = await mes();
  if (con === civilDay(new Date()).slice(0, 7)) return;
  throw redirect(withParams(search, { [by]: by === 'mes' ? con : 'mesAnterior', index: null, _routes: null }));
}
