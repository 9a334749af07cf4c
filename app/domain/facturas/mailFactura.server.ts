import { z } from 'zod';
import { env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { record } from '~/domain/bitacora.server';
import { defineEffect } from '~/domain/effects/definition';
import { acceptEffect, type Accepted } from '~/domain/effects/effects.server';
import { readArchivo } from '~/domain/files/archivos.server';
import type { Db, Trx } from '~db/client.server';
import { pdfToSend } from './pdfFactura.server';

/**
 * The letter with the stamped invoice. At least once: a server that loses its answer after taking the letter gets it again, at
 * most three times and always with the same Message-ID, since a customer without an invoice is worse than one with two letters.
 */
export const mailFactura = defineEffect({
  type: 'factura.mail',
  label: 'Correo con la factura',
  connection: 'correo',
  request: z.object({ facturaId: z.string(), emails: z.array(z.string()).min(1) }),
  evidence: z.object({ messageId: z.string() }),
  key: ({ facturaId }) => `factura:${facturaId}`,
  unclear: 'repeat',
  again: true,
  async send({ request, ref, clients, db }) {
    const factura = await letterOf(db, request.facturaId);
    const [xml, pdf] = [await readArchivo(db, factura.xmlId), (await pdfToSend(db, clients, request.facturaId)).contenido];
    const { messageId } = await clients.correo().send({
      messageId: `<${ref}@trastienda>`,
      from: env().CORREO_REMITENTE,
      to: request.emails,
      subject: `Tu factura ${factura.folio} de ${env().MARCA}`,
      text: textOf(factura),
      attachments: [
        { filename: `${factura.folio}.pdf`, contentType: 'application/pdf', content: pdf },
        { filename: `${factura.folio}.xml`, contentType: 'application/xml', content: xml!.contenido },
      ],
    });
    return { messageId };
  },
  confirm: async (_call, evidence) => evidence,
  async settle(trx, { request, usuarioId }) {
    await record(trx, { usuarioId, entidad: 'factura', entidadId: request.facturaId, accion: 'correo enviado', datos: { destinatarios: request.emails.length } });
  },
});

type Letter = { folio: string; numOrden: string | null; total: string; uuid: string; xmlId: string; estatus: string };

async function letterOf(db: Db | Trx, facturaId: string): Promise<Letter> {
  const factura = await db.selectFrom('factura').select(['serie', 'folio', 'numOrden', 'total', 'uuid', 'xmlId', 'estatus'])
    .where('id', '=', facturaId).executeTakeFirstOrThrow();
  return { ...factura, folio: `${factura.serie}-${factura.folio}`, total: factura.total.toString() };
}

function textOf({ folio, numOrden, total, uuid }: Letter): string {
  return [
    'Hola:',
    '',
    `Adjuntamos tu factura ${folio}${numOrden ? ` de la orden ${numOrden}` : ''} por $${total} MXN, en PDF y XML.`,
    '',
    `Folio fiscal: ${uuid}`,
    '',
    'Gracias por tu compra.',
    env().MARCA,
  ].join('\n');
}

/** Sends the letter again to the addresses the factura was made with. While one is on its way, that one is returned. */
export async function resendFacturaMail(trx: Trx, facturaId: string, usuarioId: string | null): Promise<Accepted> {
  const factura = await trx.selectFrom('factura').select(['emails']).where('id', '=', facturaId).executeTakeFirst();
  if (!factura) throw new NotAllowed('Aviso', 'La factura ya no existe.');
  if (factura.emails.length === 0) throw new NotAllowed('Aviso', 'La factura no tiene un correo de contacto.');
  return acceptEffect(trx, mailFactura, { request: { facturaId, emails: factura.emails }, usuarioId });
}
