import { z } from 'zod';
import { record } from '~/platform/bitacora.server';
import { defineEffect } from '~/platform/effects/definition';
import { readArchivo } from '~/platform/files/archivos.server';
import { Refused } from '~/integrations/errors';
import { MAX_FISCAL_BYTES, type FiscalFile } from '~/integrations/mercadolibre/wireWrite';
import type { MercadolibreWriter } from '~/integrations/mercadolibre/write.server';
import type { Db } from '~db/client.server';
import { pdfToSend } from '~/domain/facturacion/cfdi/pdfFactura.server';

/**
 * Hands the stamped CFDI to the buyer at the marketplace, which tells them by itself. The sale holds one PDF and one XML: where there
 * are others, these take their place.
 */
export const uploadCfdiMl = defineEffect({
  type: 'ml.fiscalDocument',
  label: 'CFDI en la venta de Mercado Libre',
  connection: 'mercadolibre',
  request: z.object({ facturaId: z.string(), numOrden: z.string() }),
  evidence: z.object({ archivos: z.array(z.string()) }),
  byHand: { says: 'done', evidence: { archivos: [] } },
  key: ({ facturaId }) => `factura:${facturaId}`,
  subjects: ({ facturaId }) => [['factura', facturaId]],
  unclear: 'find',
  again: true,
  async send({ request: { facturaId, numOrden }, clients, db }) {
    const factura = await facturaOf(db, facturaId);
    if (factura.estatus !== 'vigente') throw new Refused('La factura ya no está vigente: no se sube a la venta.');
    const files = fit([
      {
        nombre: `${factura.folio}.pdf`,
        tipo: 'application/pdf',
        contenido: (await pdfToSend(db, clients, facturaId)).contenido,
      },
      {
        nombre: `${factura.folio}.xml`,
        tipo: 'application/xml',
        contenido: (await readArchivo(db, factura.xmlId))!.contenido,
      },
    ]);
    const ml = clients.ml();
    if (!(await ml.uploadFiscalDocuments(numOrden, files)) && !(await holds(ml, numOrden, factura.folio))) {
      await ml.deleteFiscalDocuments(numOrden);
      if (!(await ml.uploadFiscalDocuments(numOrden, files)))
        throw new Refused('La venta tiene otro documento fiscal que Mercado Libre no deja reemplazar.');
    }
    return { archivos: files.map(({ nombre }) => nombre) };
  },
  async find({ request: { facturaId, numOrden }, clients, db }, known) {
    if (known) return known;
    const { folio } = await facturaOf(db, facturaId);
    const held = await holds(clients.ml(), numOrden, folio);
    return held ? { archivos: held } : 'absent';
  },
  confirm: async (_call, evidence) => evidence,
  async settle(trx, { request: { facturaId }, usuarioId }, { archivos }) {
    await record(trx, {
      usuarioId,
      entidad: 'factura',
      entidadId: facturaId,
      accion: 'subir a Mercado Libre',
      datos: { archivos },
    });
  },
});

/** The files of this folio that the sale holds; undefined unless its XML is among them. */
async function holds(ml: MercadolibreWriter, pack: string, folio: string): Promise<string[] | undefined> {
  const names = (await ml.fiscalDocuments(pack))
    .map(({ filename }) => filename ?? '')
    .filter((name) => name === `${folio}.pdf` || name === `${folio}.xml`);
  return names.includes(`${folio}.xml`) ? names : undefined;
}

/** Each up to 1 MB. Without the PDF the buyer still has the CFDI itself; without the XML there is nothing to hand over. */
function fit(files: FiscalFile[]): FiscalFile[] {
  const small = files.filter(({ contenido }) => contenido.length <= MAX_FISCAL_BYTES);
  if (!small.some(({ tipo }) => tipo === 'application/xml'))
    throw new Refused('El XML pasa de 1 MB, el máximo que Mercado Libre recibe.');
  return small;
}

async function facturaOf(db: Db, id: string) {
  const { serie, folio, ...factura } = await db
    .selectFrom('factura')
    .select(['serie', 'folio', 'xmlId', 'estatus'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { ...factura, folio: `${serie}-${folio}` };
}
