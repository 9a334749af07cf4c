import type { LoaderFunctionArgs } from '@remix-run/node';
import { isStorable } from '~/core/text';
import { searchProductos } from '~/domain/facturacion/sat/catalogos.server';
import { db } from '~db/shared.server';

/** SAT product keys for the search box of an items table. */
export async function loader({ request }: LoaderFunctionArgs) {
  const q = [...(new URL(request.url).searchParams.get('q') ?? '')].slice(0, 60).join('');
  return Response.json(
    { q, claves: isStorable(q) ? await searchProductos(db(), q) : [] },
    { headers: { 'Cache-Control': 'private, max-age=600' } },
  );
}
