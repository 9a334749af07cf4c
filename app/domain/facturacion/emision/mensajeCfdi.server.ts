import { z } from 'zod';
import { record } from '~/platform/bitacora.server';
import { pdfToSend } from '~/domain/facturacion/cfdi/pdfFactura.server';
import { defineEffect } from '~/platform/effects/definition';
import { Refused } from '~/integrations/errors';

const FACTURA = 'invoice';

/**
 * Sends the stamped CFDI to the buyer as Amazon's message for invoices, where the account and the sale allow one. Amazon shows nobody what was sent: what got no
 * answer is for people, so that no buyer gets it twice. Of Amazon's attachments the PDF is one; the XML is behind the link.
 */
export const mensajeCfdi = defineEffect({
  type: 'amz.invoice',
  label: 'Factura al comprador en Amazon',
  connection: 'amazon',
  request: z.object({ facturaId: z.string(), numOrden: z.string() }),
  evidence: z.object({ archivo: z.string().nullable() }),
  byHand: { says: 'done', evidence: { archivo: null } },
  key: ({ facturaId }) => `factura:${facturaId}`,
  subjects: ({ facturaId }) => [['factura', facturaId]],
  unclear: 'ask',
  again: true,
  async send({ request: { facturaId, numOrden }, clients, db }) {
    const { estatus, serie, folio } = await db
      .selectFrom('factura')
      .select(['estatus', 'serie', 'folio'])
      .where('id', '=', facturaId)
      .executeTakeFirstOrThrow();
    if (estatus !== 'vigente') throw new Refused('La factura ya no está vigente: no se envía al comprador.');
    const amz = clients.amz();
    if (!(await amz.messagingActions(numOrden)).includes(FACTURA))
      throw new Refused(
        'Amazon no permite enviar la factura al comprador de esta venta: compártele el enlace para descargarla.',
      );
    const nombre = `${serie}-${folio}.pdf`;
    const { contenido } = await pdfToSend(db, clients, facturaId);
    const uploadDestinationId = await amz.upload(numOrden, { nombre, tipo: 'application/pdf', contenido });
    await amz.sendInvoice(numOrden, { uploadDestinationId, nombre });
    return { archivo: nombre };
  },
  confirm: async (_call, evidence) => evidence,
  async settle(trx, { request: { facturaId }, usuarioId }, { archivo }) {
    await record(trx, {
      usuarioId,
      entidad: 'factura',
      entidadId: facturaId,
      accion: 'enviar por Amazon',
      datos: { archivos: archivo ? [archivo] : [] },
    });
  },
});
