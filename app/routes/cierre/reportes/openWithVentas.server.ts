import { redirect } from '@remix-run/node';
import { withParams } from '~/core/list';
import { civilDay } from '~/core/time';
import { readMesConVentas } from '~/domain/cierre/reportes/mesConVentas.server';
import { db } from '~db/shared.server';

/** Parameters by which an address of a report says what it is of. */
const SAYS = ['mes', 'desde', 'hasta', 'rango', 'q', 'cuales'];

/**
 * Sends a person who opens a report without saying of when to the month before, while the current month has no sale yet: on its first days the report would be empty.
 * `by` is the parameter that says it.
 */
export async function openWithVentas(request: Request, by: 'mes' | 'rango'): Promise<void> {
  const { search, searchParams } = new URL(request.url);
  if (SAYS.some((name) => searchParams.has(name))) return;
  const now = new Date();
  const mes = await readMesConVentas(db(), now);
  if (mes === civilDay(now).slice(0, 7)) return;
  throw redirect(withParams(search, { [by]: by === 'mes' ? mes : 'mesAnterior', index: null, _routes: null }));
}
