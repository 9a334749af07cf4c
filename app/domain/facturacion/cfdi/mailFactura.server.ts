import { z } from 'zod';
import { env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { defineCarta } from '~/platform/effects/carta.server';
import { acceptEffect, type Accepted } from '~/platform/effects/effects.server';
import { readArchivo } from '~/platform/files/archivos.server';
import type { Db, Trx } from '~db/client.server';
import { origenOfNota } from './notaCreditoOrigen.server';
import { pdfToSend } from './pdfFactura.server';

const TITULO = 'Error al enviar el correo.';

/**
 * The letter with a stamped invoice, or with a credit note and the invoice it takes back from. A server that took the letter and lost its answer gets it
 * again: at most three times, always with the same Message-ID. A customer without an invoice is worse than one with two letters.
 */
export const mailFactura = defineCarta({
  type: 'factura.mail',
  label: 'Correo con la factura',
  request: z.object({ facturaId: z.string(), emails: z.array(z.string()).min(1) }),
  key: ({ facturaId }) => `factura:${facturaId}`,
  subjects: ({ facturaId }) => [['factura', facturaId]],
  summary: ({ emails }) => ({ emails }),
  again: true,
  async write({ request, clients, db }) {
    const factura = await letterOf(db, request.facturaId);
    const [xml, pdf] = [
      await readArchivo(db, factura.xmlId),
      (await pdfToSend(db, clients, request.facturaId)).contenido,
    ];
    return {
      to: request.emails,
      subject: `Tu ${factura.origen ? 'nota de crédito' : 'factura'} ${factura.folio} de ${env().MARCA}`,
      text: textOf(factura),
      attachments: [
        { filename: `${factura.folio}.pdf`, contentType: 'application/pdf', content: pdf },
        { filename: `${factura.folio}.xml`, contentType: 'application/xml', content: xml!.contenido },
      ],
    };
  },
  noted: ({ facturaId, emails }) => ({
    entidad: 'factura',
    entidadId: facturaId,
    accion: 'correo enviado',
    datos: { destinatarios: emails.length },
  }),
});

type Letter = {
  folio: string;
  numOrden: string | null;
  total: string;
  uuid: string;
  xmlId: string;
  /** Of a credit note, its factura. */ origen: { folio: string; uuid: string } | null;
};

async function letterOf(db: Db | Trx, facturaId: string): Promise<Letter> {
  const { serie, folio, total, tipo, ...factura } = await db
    .selectFrom('factura')
    .select(['serie', 'folio', 'numOrden', 'total', 'uuid', 'xmlId', 'tipo'])
    .where('id', '=', facturaId)
    .executeTakeFirstOrThrow();
  return {
    ...factura,
    folio: `${serie}-${folio}`,
    total: total.toString(),
    origen: tipo === 'notaCredito' ? await origenOfNota(db, facturaId) : null,
  };
}

function textOf({ folio, numOrden, total, uuid, origen }: Letter): string {
  const orden = numOrden ? ` de la orden ${numOrden}` : '';
  const cuerpo = origen
    ? [
        `Adjuntamos la nota de crédito ${folio} por $${total} MXN, en PDF y XML: devuelve ese importe de tu factura ${origen.folio}${orden}.`,
        '',
        `Folio fiscal: ${uuid}`,
        `Folio fiscal de la factura: ${origen.uuid}`,
      ]
    : [`Adjuntamos tu factura ${folio}${orden} por $${total} MXN, en PDF y XML.`, '', `Folio fiscal: ${uuid}`];
  return ['Hola:', '', ...cuerpo, '', 'Gracias por tu compra.', env().MARCA].join('\n');
}

/** Sends the letter again to the addresses the factura was made with. While one is on its way, that one is returned. */
export async function resendFacturaMail(
  trx: Trx,
  facturaId: string,
  usuarioId: string | null,
  batchId: string | null = null,
): Promise<Accepted> {
  const factura = await trx.selectFrom('factura').select(['emails']).where('id', '=', facturaId).executeTakeFirst();
  if (!factura) throw new NotAllowed(TITULO, 'La factura ya no existe.');
  if (factura.emails.length === 0) throw new NotAllowed(TITULO, 'La factura no tiene un correo de contacto.');
  return acceptEffect(trx, mailFactura, { request: { facturaId, emails: factura.emails }, usuarioId, batchId });
}
