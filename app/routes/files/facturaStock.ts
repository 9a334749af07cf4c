import type { LoaderFunctionArgs } from '@remix-run/node';
import { readFacturaOfPieza } from '~/domain/compras/stock/readPiezas.server';
import { db } from '~db/shared.server';
import { download, show } from '~/http/download.server';

/** The invoice of a piece: to keep, or shown inside its own record (`?ver=1`). */
export async function loader({ request, params: { id = '' } }: LoaderFunctionArgs) {
  const found = await readFacturaOfPieza(db(), id);
  return new URL(request.url).searchParams.get('ver') === '1' ? show(request, found) : download(request, found);
}
