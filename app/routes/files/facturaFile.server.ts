import { fetchFactura, type Formato } from '~/domain/facturacion/cfdi/factura.server';
import { db } from '~db/shared.server';
import { download } from '~/http/download.server';

/** A file of a factura as a download. */
export async function downloadFactura(request: Request, id: string, formato: Formato): Promise<Response> {
  return download(request, await fetchFactura(db(), id, formato));
}
