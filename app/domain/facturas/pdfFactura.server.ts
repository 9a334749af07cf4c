import { type Archivo, readArchivo, storeArchivo } from '~/domain/files/archivos.server';
import type { Clients } from '~/domain/effects/clients';
import { Refused, Unavailable } from '~/integrations/errors';
import type { FacturacomReader } from '~/integrations/facturacom/read.server';
import type { Db } from '~db/client.server';

/** The PDF of a factura: ours when it was fetched before, else the PAC's, kept. Fails as the PAC's client does. */
export async function ensurePdf(db: Db, pac: Pick<FacturacomReader, 'downloadPdf'>, facturaId: string): Promise<Archivo> {
  const factura = await db.selectFrom('factura').select(['uid', 'pdfId', 'serie', 'folio']).where('id', '=', facturaId).executeTakeFirstOrThrow();
  if (factura.pdfId) return (await readArchivo(db, factura.pdfId))!;
  const contenido = await pac.downloadPdf(factura.uid);
  const id = await db.transaction().execute(async (trx) => {
    const stored = await storeArchivo(trx, { nombre: `${factura.serie}-${factura.folio}.pdf`, tipo: 'application/pdf', contenido });
    await trx.updateTable('factura').set({ pdfId: stored }).where('id', '=', facturaId).execute();
    return stored;
  });
  return (await readArchivo(db, id))!;
}

/** The PDF for something that is about to leave. Nothing has left yet: a PAC that has none for us now is a reason to come back later, not a doubt. */
export async function pdfToSend(db: Db, clients: Clients, facturaId: string): Promise<Archivo> {
  try {
    return await ensurePdf(db, await clients.pac(), facturaId);
  } catch (error) {
    if (error instanceof Refused && error.details.account) throw error;
    throw new Unavailable('El PDF de la factura todavía no está disponible en el PAC.', { cause: error });
  }
}
