import type { LoaderFunctionArgs } from '@remix-run/node';
import { readGuiaFile } from '~/domain/ventas/envios/traerGuia.server';
import { db } from '~db/shared.server';
import { show } from '~/http/download.server';

/** Sends the label of a shipment for printing. A cancelled label is refused. */
export async function loader({ request, params: { id = '' } }: LoaderFunctionArgs) {
  return show(request, await readGuiaFile(db(), id));
}
