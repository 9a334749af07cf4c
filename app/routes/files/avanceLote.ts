import type { LoaderFunctionArgs } from '@remix-run/node';
import { usuarioOf } from '~/access/session.server';
import { ACCIONES } from '~/domain/operacion/batchCatalog.server';
import { readPreparedBatch } from '~/platform/batches/prepared.server';
import { db } from '~db/shared.server';

/** Answers the progress of a bulk run, for the page that watches the run. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const lote = await readPreparedBatch(db(), ACCIONES, params.id ?? '', usuarioOf(context).id);
  if (!lote) throw new Response('No existe.', { status: 404 });
  return Response.json(lote.avance, { headers: { 'Cache-Control': 'no-store' } });
}
