import type { LoaderFunctionArgs } from '@remix-run/node';
import { findCp } from '~/platform/direccion/codigosPostales.server';
import { db } from '~db/shared.server';

/** What a form asks when somebody leaves the field of a postal code. */
export async function loader({ params }: LoaderFunctionArgs) {
  return Response.json(await findCp(db(), params.cp ?? ''), {
    headers: { 'Cache-Control': 'private, max-age=3600' },
  });
}
