import { setTimeout as wait } from 'node:timers/promises';
import { NotAllowed } from '~/core/errors';
import { log } from '~/core/log.server';
import { pacienciaOf } from '~/core/paciencia.server';
import type { Archivo } from '~/platform/files/archivos.server';
import { Refused, Unavailable } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import { connectPacReader } from './emisor.server';
import { ensureAcuse, ensurePdf } from './pdfFactura.server';
import { readFacturaFile, type Formato } from './readFactura.server';

/** A file of a factura under the name it is downloaded with; undefined when there is none. What was never fetched is asked of the PAC now, and kept. */
export async function fetchFactura(
  db: Db,
  id: string,
  formato: Formato,
): Promise<{ nombre: string; archivo: Archivo } | undefined> {
  const stored = await readFacturaFile(db, id, formato);
  if (!stored) return undefined;
  const archivo = stored.archivo ?? (formato === 'xml' ? undefined : await bring(db, id, formato));
  return archivo && { nombre: stored.nombre, archivo };
}

const NOMBRE = { pdf: 'PDF', acuse: 'acuse de cancelación' } as const;

/** How long whoever asked waits for the PAC. What comes later is kept all the same, for the next time. */
const PATIENCE_MS = 1_800;

/** What is being brought now: a second click waits for the same. */
const coming = new Map<string, Promise<Archivo>>();

async function bring(db: Db, id: string, formato: keyof typeof NOMBRE): Promise<Archivo> {
  const file = `${formato} ${id}`;
  const asked = coming.get(file) ?? start(file, ask(db, id, formato));
  const late = new AbortController();
  try {
    const archivo = await Promise.race([asked, wait(pacienciaOf(PATIENCE_MS), undefined, { signal: late.signal })]);
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

async function ask(db: Db, id: string, formato: keyof typeof NOMBRE): Promise<Archivo> {
  const pac = await connectPacReader(db);
  return formato === 'pdf' ? ensurePdf(db, pac, id) : ensureAcuse(db, pac, id);
}
