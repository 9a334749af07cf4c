import type { LoaderFunctionArgs } from '@remix-run/node';
import { readFacturaDePieza } from '~/domain/compras/stock/leerPieza.server';
import { db } from '~db/shared.server';
import { download, mostrar } from '~/http/download.server';

/** The invoice of a piece: to keep, or shown inside its own record (`?ver=1`). */
export async function loader({ request, params: { id = '' } }: LoaderFunctionArgs) {
  const found = await readFacturaDePieza(db(), id);
  return new URL(request.url).searchParams.get('ver') === '1' ? mostrar(request, found) : download(request, found);
}
