import type { LoaderFunctionArgs } from '@remix-run/node';
import { readGuiaFile } from '~/domain/ventas/envios/traerGuia.server';
import { db } from '~db/shared.server';
import { show } from '~/http/download.server';

/** The label of a shipment, to be printed. One that was given back is not for printing. */
export async function loader({ request, params: { id = '' } }: LoaderFunctionArgs) {
  return show(request, await readGuiaFile(db(), id));
}
