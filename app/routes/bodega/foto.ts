import type { LoaderFunctionArgs } from '@remix-run/node';
import { readFoto } from '~/domain/compras/stock/bodega.server';
import { db } from '~db/shared.server';

/** Sends a photograph of a piece. Phones pass from hand to hand, so no phone keeps one. */
export async function loader({ params: { id = '' } }: LoaderFunctionArgs) {
  const foto = await readFoto(db(), id);
  if (!foto) throw new Response('No existe.', { status: 404 });
  return new Response(new Uint8Array(foto.contenido), {
    headers: { 'Content-Type': foto.tipo, 'Content-Disposition': 'inline', 'Cache-Control': 'no-store' },
  });
}
