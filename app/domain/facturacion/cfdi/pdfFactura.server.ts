import { type Archivo, readArchivo, storeArchivo } from '~/platform/files/archivos.server';
import type { Clients } from '~/platform/connections/registry.server';
import { Refused, Unavailable } from '~/integrations/errors';
import type { FacturacomReader } from '~/integrations/facturacom/read.server';
import type { Db } from '~db/client.server';

/** The PDF of a factura: ours when it was fetched before, else the PAC's, kept. Fails as the PAC's client does. */
export async function ensurePdf(
  db: Db,
  pac: Pick<FacturacomReader, 'downloadPdf'>,
  facturaId: string,
): Promise<Archivo> {
  const factura = await db
    .selectFrom('factura')
    .select(['uid', 'pdfId', 'serie', 'folio'])
    .where('id', '=', facturaId)
    .executeTakeFirstOrThrow();
  if (factura.pdfId) return (await readArchivo(db, factura.pdfId))!;
  const contenido = await pac.downloadPdf(factura.uid);
  const id = await db.transaction().execute(async (trx) => {
    const stored = await storeArchivo(trx, {
      nombre: `${factura.serie}-${factura.folio}.pdf`,
      tipo: 'application/pdf',
      contenido,
    });
    await trx.updateTable('factura').set({ pdfId: stored }).where('id', '=', facturaId).execute();
    return stored;
  });
  return (await readArchivo(db, id))!;
}

/** The receipt of a cancellation that the PAC did not hand over when it was asked: fetched now, and kept. */
export async function ensureAcuse(
  db: Db,
  pac: Pick<FacturacomReader, 'downloadAcuse'>,
  facturaId: string,
): Promise<Archivo> {
  const { id, acuseId, uid, serie, folio } = await db
    .selectFrom('cancelacion')
    .innerJoin('factura', 'factura.id', 'cancelacion.facturaId')
    .select(['cancelacion.id', 'acuseId', 'uid', 'serie', 'folio'])
    .where('facturaId', '=', facturaId)
    .where('cancelacion.estado', '=', 'cancelada')
    .orderBy('cancelacion.id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  if (acuseId) return (await readArchivo(db, acuseId))!;
  const contenido = await pac.downloadAcuse(uid);
  const stored = await db.transaction().execute(async (trx) => {
    const archivoId = await storeArchivo(trx, {
      nombre: `acuse-${serie}-${folio}.xml`,
      tipo: 'application/xml',
      contenido,
    });
    await trx.updateTable('cancelacion').set({ acuseId: archivoId }).where('id', '=', id).execute();
    return archivoId;
  });
  return (await readArchivo(db, stored))!;
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
