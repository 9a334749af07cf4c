import { NotAllowed } from '~/core/errors';
import { connectPacReader } from '~/domain/facturas/emisor.server';
import { ensurePdf } from '~/domain/facturas/pdfFactura.server';
import { readFacturaFile } from '~/domain/facturas/readFactura.server';
import { Refused, Unavailable } from '~/integrations/errors';
import { db } from '~db/shared.server';
import { download } from './download.server';

/** The PDF or XML of a factura as a download. A PDF that was never fetched is asked of the PAC now, and kept. */
export async function downloadFactura(request: Request, id: string, formato: 'pdf' | 'xml'): Promise<Response> {
  const stored = await readFacturaFile(db(), id, formato);
  const archivo = stored?.archivo ?? (stored && formato === 'pdf' ? await fetchPdf(id) : undefined);
  return download(request, stored && archivo && { nombre: stored.nombre, archivo });
}

async function fetchPdf(id: string) {
  try {
    return await ensurePdf(db(), await connectPacReader(db()), id);
  } catch (error) {
    if (!(error instanceof Unavailable || error instanceof Refused)) throw error;
    throw new NotAllowed('Error al cargar la factura', 'El PDF todavía no está disponible en el PAC, por favor intentalo más tarde.', { cause: error });
  }
}
