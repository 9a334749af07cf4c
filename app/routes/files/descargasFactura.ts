import type { LoaderFunctionArgs } from '@remix-run/node';
import { downloadFactura } from './facturaFile.server';

export async function loader({ request, params: { id = '', formato } }: LoaderFunctionArgs) {
  if (formato !== 'pdf' && formato !== 'xml') throw new Response('No existe.', { status: 404 });
  return downloadFactura(request, id, formato);
}
