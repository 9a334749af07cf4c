import type { LoaderFunctionArgs } from '@remix-run/node';
import { findCp } from '~/platform/direccion/codigosPostales.server';
import { db } from '~db/shared.server';

/** Answers the place of a postal code, for a form whose field was left. */
export async function loader({ params }: LoaderFunctionArgs) {
  return Response.json(await findCp(db(), params.cp ?? ''), {
    headers: { 'Cache-Control': 'private, max-age=3600' },
  });
}
