import type { LoaderFunctionArgs } from '@remix-run/node';
import { usuarioOf } from '~/access/session.server';
import { ACCIONES } from '~/domain/operacion/batchCatalog.server';
import { readPreparedBatch } from '~/platform/batches/prepared.server';
import { db } from '~db/shared.server';

/** How far something is that was asked for many rows at once, for the page that watches it. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const lote = await readPreparedBatch(db(), ACCIONES, params.id ?? '', usuarioOf(context).id);
  if (!lote) throw new Response('No existe.', { status: 404 });
  return Response.json(lote.avance, { headers: { 'Cache-Control': 'no-store' } });
}
