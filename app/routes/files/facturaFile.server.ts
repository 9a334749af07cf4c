import { setTimeout as wait } from 'node:timers/promises';
import { NotAllowed } from '~/core/errors';
import { log } from '~/core/log.server';
import type { Archivo } from '~/domain/files/archivos.server';
import { connectPacReader } from '~/domain/cfdi/emisor.server';
import { ensureAcuse, ensurePdf } from '~/domain/cfdi/pdfFactura.server';
import { readFacturaFile, type Formato } from '~/domain/cfdi/readFactura.server';
import { Refused, Unavailable } from '~/integrations/errors';
import { db } from '~db/shared.server';
import { download } from '~/http/download.server';

/** A file of a factura as a download. What was never fetched is asked of the PAC now, and kept. */
export async function downloadFactura(request: Request, id: string, formato: Formato): Promise<Response> {
  const stored = await readFacturaFile(db(), id, formato);
  const archivo = stored?.archivo ?? (stored && formato !== 'xml' ? await bring(id, formato) : undefined);
  return download(request, stored && archivo && { nombre: stored.nombre, archivo });
}

const NOMBRE = { pdf: 'PDF', acuse: 'acuse de cancelación' } as const;

/** How long a browser waits for the PAC. What comes later is kept all the same, for the next click. */
const PATIENCE_MS = 1_800;

/** What is being brought now: a second click waits for the same. */
const coming = new Map<string, Promise<Archivo>>();

async function bring(id: string, formato: keyof typeof NOMBRE): Promise<Archivo> {
  const file = `${formato} ${id}`;
  const asked = coming.get(file) ?? start(file, ask(id, formato));
  const late = new AbortController();
  try {
    const archivo = await Promise.race([asked, wait(PATIENCE_MS, undefined, { signal: late.signal })]);
    if (archivo) return archivo;
    throw new NotAllowed(
      'Error al cargar la factura',
      `El PAC está tardando en entregar el ${NOMBRE[formato]}. En cuanto llegue se guarda aquí: inténtalo otra vez en unos segundos.`,
    );
  } catch (error) {
    if (!(error instanceof Unavailable || error instanceof Refused)) throw error;
    throw new NotAllowed(
      'Error al cargar la factura',
      `El ${NOMBRE[formato]} todavía no está disponible en el PAC, por favor intentalo más tarde.`,
      { cause: error },
    );
  } finally {
    late.abort();
  }
}

function start(file: string, asked: Promise<Archivo>): Promise<Archivo> {
  coming.set(file, asked);
  asked
    .catch((error: unknown) => log.warn('el PAC no entregó un archivo', { archivo: file, error: String(error) }))
    .finally(() => void coming.delete(file));
  return asked;
}

async function ask(id: string, formato: keyof typeof NOMBRE): Promise<Archivo> {
  const pac = await connectPacReader(db());
  return formato === 'pdf' ? ensurePdf(db(), pac, id) : ensureAcuse(db(), pac, id);
}
