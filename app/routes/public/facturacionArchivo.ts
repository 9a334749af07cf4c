import type { LoaderFunctionArgs } from '@remix-run/node';
import { findEnlace } from '~/domain/facturacion/enlaces/enlaces.server';
import { findFacturaOfEnlace } from '~/domain/facturacion/publico/publico.server';
import { downloadFactura } from '~/routes/files/facturaFile.server';
import { db } from '~db/shared.server';

/** Sends the factura that was made through this link, and no other factura of its sale. */
export async function loader({ request, params: { token = '', formato } }: LoaderFunctionArgs) {
  const enlace = await findEnlace(db(), token);
  const id = enlace && (await findFacturaOfEnlace(db(), enlace));
  if (!id || (formato !== 'pdf' && formato !== 'xml')) throw new Response('No existe.', { status: 404 });
  return downloadFactura(request, id, formato);
}
