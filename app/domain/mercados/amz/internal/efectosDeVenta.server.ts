import { z } from 'zod';
import { Refused } from '~/integrations/errors';
import type { ActoDeEntrega } from '../../efectos';

/** Amazon's word for the message that carries an invoice. */
const FACTURA = 'invoice';

/**
 * Sends the CFDI to the buyer as Amazon's message for invoices, where the account and the sale allow one. Amazon shows nobody what was sent: a
 * message without an answer is for people, so that no buyer gets it twice. Amazon takes the PDF; the XML is behind the link. `archivo` is the name of
 * the file that left; null when a person said that it did. Throws Refused where Amazon offers no such message.
 */
export const entregarCfdi: ActoDeEntrega<{ archivo: string | null }> = {
  type: 'amz.invoice',
  label: 'Factura al comprador en Amazon',
  connection: 'amazon',
  accion: 'enviar por Amazon',
  noVigente: 'La factura ya no está vigente: no se envía al comprador.',
  evidence: z.object({ archivo: z.string().nullable() }),
  byHand: { says: 'done', evidence: { archivo: null } },
  unclear: 'ask',
  sinMirada: 'Amazon no dice qué mensajes recibió el comprador: solo él sabe si llegó, o si llegó dos veces.',
  again: true,
  async send({ request: { numOrden }, clients }, { folio, pdf }) {
    const amz = clients.amz();
    if (!(await amz.messagingActions(numOrden)).includes(FACTURA))
      throw new Refused(
        'Amazon no permite enviar la factura al comprador de esta venta: compártele el enlace para descargarla.',
      );
    const nombre = `${folio}.pdf`;
    const contenido = await pdf();
    const uploadDestinationId = await amz.upload(numOrden, { nombre, tipo: 'application/pdf', contenido });
    await amz.sendInvoice(numOrden, { uploadDestinationId, nombre });
    return { archivo: nombre };
  },
  confirm: async (_call, { archivo }) => (archivo ? [archivo] : []),
};
