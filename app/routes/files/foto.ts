import type { LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { readFotoAbierta } from '~/domain/compras/catalogo/fotos.server';
import { serveOpen } from '~/http/download.server';
import { db } from '~db/shared.server';

/** A picture of a product, for marketplaces and our own pages. Whoever knows the address may see the picture. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const llave = z.uuid().safeParse(params.llave).data;
  return serveOpen(request, llave === undefined ? undefined : await readFotoAbierta(db(), llave));
}
