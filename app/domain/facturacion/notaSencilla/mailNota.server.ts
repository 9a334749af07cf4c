import { z } from 'zod';
import { env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { defineCarta } from '~/platform/effects/carta.server';
import { acceptEffect, type Accepted } from '~/platform/effects/effects.server';
import { readArchivo } from '~/platform/files/archivos.server';
import type { Trx } from '~db/client.server';
import { NOTA } from './notaSencilla';

/** The letter with a simple note. At least once, like the one of a factura. */
export const mailNota = defineCarta({
  type: 'nota.mail',
  label: 'Correo con la nota sencilla',
  request: z.object({ notaId: z.string(), emails: z.array(z.string()).min(1) }),
  key: ({ notaId }) => `nota:${notaId}`,
  subjects: ({ notaId }) => [['notaSencilla', notaId]],
  summary: ({ emails }) => ({ emails }),
  async write({ request, db }) {
    const nota = await db
      .selectFrom('notaSencilla')
      .select(['serie', 'folio', 'nombre', 'total', 'pdfId'])
      .where('id', '=', request.notaId)
      .executeTakeFirstOrThrow();
    const pdf = await readArchivo(db, nota.pdfId);
    const folio = `${nota.serie}-${nota.folio}`;
    return {
      to: request.emails,
      subject: `Tu nota ${folio} de ${env().MARCA}`,
      text: [
        `Hola, ${nota.nombre}:`,
        '',
        `Adjuntamos tu nota ${folio} por $${nota.total} MXN, en PDF.`,
        '',
        'Gracias por tu compra.',
        env().MARCA,
      ].join('\n'),
      attachments: [{ filename: `nota-${folio}.pdf`, contentType: 'application/pdf', content: pdf!.contenido }],
    };
  },
  noted: ({ notaId, emails }) => ({
    entidad: 'notaSencilla',
    entidadId: notaId,
    accion: 'correo enviado',
    datos: { destinatarios: emails.length },
  }),
});

/** Sends the letter again to the address the note was made with. While one is on its way, that one is returned. */
export async function resendNotaMail(trx: Trx, notaId: string, usuarioId: string): Promise<Accepted> {
  const nota = z.uuid().safeParse(notaId).success
    ? await trx.selectFrom('notaSencilla').select('email').where('id', '=', notaId).executeTakeFirst()
    : undefined;
  if (!nota) throw new NotAllowed(NOTA, 'La nota ya no existe.');
  return acceptEffect(trx, mailNota, { request: { notaId, emails: [nota.email] }, usuarioId });
}
