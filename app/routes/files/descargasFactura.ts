import type { LoaderFunctionArgs } from '@remix-run/node';
import { FORMATOS } from '~/domain/facturacion/cfdi/factura.server';
import { downloadFactura } from './facturaFile.server';

export async function loader({ request, params: { id = '', formato } }: LoaderFunctionArgs) {
  const known = FORMATOS.find((one) => one === formato);
  if (!known) throw new Response('No existe.', { status: 404 });
  return downloadFactura(request, id, known);
}
