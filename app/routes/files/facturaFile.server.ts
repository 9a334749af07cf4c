import { NotAllowed } from '~/core/errors';
import { connectPacReader } from '~/domain/facturas/emisor.server';
import { ensureAcuse, ensurePdf } from '~/domain/facturas/pdfFactura.server';
import { readFacturaFile, type Formato } from '~/domain/facturas/readFactura.server';
import { Refused, Unavailable } from '~/integrations/errors';
import { db } from '~db/shared.server';
import { download } from './download.server';

/** A file of a factura as a download. What was never fetched is asked of the PAC now, and kept. */
export async function downloadFactura(request: Request, id: string, formato: Formato): Promise<Response> {
  const stored = await readFacturaFile(db(), id, formato);
  const archivo = stored?.archivo ?? (stored && formato !== 'xml' ? await bring(id, formato) : undefined);
  return download(request, stored && archivo && { nombre: stored.nombre, archivo });
}

const NOMBRE = { pdf: 'PDF', acuse: 'acuse de cancelación' } as const;

async function bring(id: string, formato: keyof typeof NOMBRE) {
  try {
    const pac = await connectPacReader(db());
    return await (formato === 'pdf' ? ensurePdf(db(), pac, id) : ensureAcuse(db(), pac, id));
  } catch (error) {
    if (!(error instanceof Unavailable || error instanceof Refused)) throw error;
    throw new NotAllowed('Error al cargar la factura', `El ${NOMBRE[formato]} todavía no está disponible en el PAC, por favor intentalo más tarde.`, { cause: error });
  }
}
