import type { LoaderFunctionArgs } from '@remix-run/node';
import { readBatchOfMes } from '~/domain/facturacion/mes/mesView.server';
import { db } from '~db/shared.server';

/** Answers the progress of a batch of the month's closing, for the page that watches it. */
export async function loader({ params }: LoaderFunctionArgs) {
  const found = await readBatchOfMes(db(), params.id ?? '');
  if (!found) throw new Response('No existe.', { status: 404 });
  return Response.json(found.lote, { headers: { 'Cache-Control': 'no-store' } });
}
