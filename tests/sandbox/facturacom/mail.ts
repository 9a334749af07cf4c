/** The mails factura.com sends by itself: to the three addresses of the client, with both files. */
import { randomBytes } from 'node:crypto';
import type { Print } from './pdf';
import type { Cfdi, Cliente } from './state';

export type Deliver = (raw: Buffer, recipients: string[]) => Promise<unknown>;

const FROM = 'no-responder@factura.sandbox.test';

/** Sends a CFDI to its client. Returns false when the client has no address. */
export async function mailCfdi(
  cfdi: Cfdi,
  cliente: Cliente | undefined,
  deliver: Deliver,
  print: Print,
): Promise<boolean> {
  const recipients = [cliente?.email, cliente?.otros.email2, cliente?.otros.email3].filter(
    (address) => address !== undefined && address !== '',
  ) as string[];
  if (recipients.length === 0) return false;
  const name = `${cfdi.serie}${cfdi.folio}_${cfdi.uuid}`;
  const text = `Adjuntamos su comprobante ${cfdi.serie}${cfdi.folio} por $${cfdi.total} MXN.\nFolio fiscal: ${cfdi.uuid}\n\nSIN VALIDEZ FISCAL: lo emitió una sandbox.`;
  await deliver(
    mime({ to: recipients, subject: `Comprobante fiscal ${cfdi.serie}${cfdi.folio}`, text }, [
      { filename: `${name}.xml`, type: 'application/xml', content: Buffer.from(cfdi.xml, 'utf8') },
      { filename: `${name}.pdf`, type: 'application/pdf', content: await print(cfdi) },
    ]),
    recipients,
  );
  return true;
}

function mime(
  message: { to: string[]; subject: string; text: string },
  attachments: { filename: string; type: string; content: Buffer }[],
): Buffer {
  const boundary = `sandbox-${randomBytes(9).toString('hex')}`;
  const folded = (content: Buffer) => content.toString('base64').replace(/.{76}/g, '$&\r\n');
  const parts = [
    `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${folded(Buffer.from(message.text, 'utf8'))}`,
    ...attachments.map(
      ({ filename, type, content }) =>
        `Content-Type: ${type}; name="${filename}"\r\nContent-Disposition: attachment; filename="${filename}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${folded(content)}`,
    ),
  ];
  const head = `From: factura.com (sandbox) <${FROM}>\r\nTo: ${message.to.join(', ')}\r\nSubject: =?utf-8?B?${Buffer.from(message.subject, 'utf8').toString('base64')}?=\r\nDate: ${new Date().toUTCString()}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n`;
  return Buffer.from(
    `${head}${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`,
    'utf8',
  );
}
