import type { LoaderFunctionArgs } from '@remix-run/node';
import { readFacturaDePieza } from '~/domain/stock/leerPieza.server';
import { db } from '~db/shared.server';
import { download } from './download.server';

/** The invoice of a piece: to keep, or shown inside its own record (`?ver=1`). */
export async function loader({ request, params: { id = '' } }: LoaderFunctionArgs) {
  const answer = download(request, await readFacturaDePieza(db(), id));
  if (new URL(request.url).searchParams.get('ver') === '1') answer.headers.set('Content-Disposition', 'inline');
  return answer;
}
