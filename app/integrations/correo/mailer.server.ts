import { createTransport } from 'nodemailer';
import { trazar } from '~/core/traza.server';
import { Refused, Unavailable, Uncertain } from '../errors';
import type { Trace } from '../http.server';

/** A letter as the mail server gets it. */
export type Mail = {
  /** The same for each try of a letter, so that a server that sees it twice can tell. */
  messageId: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html?: string;
  attachments: { filename: string; contentType: string; content: Buffer }[];
};

/**
 * A client that sends letters by SMTP. `send` throws Refused when the server said no for good, Unavailable when nothing was handed over,
 * and Uncertain once DATA had begun.
 */
export function createMailer({
  smtpUrl,
  timeoutMs = 20_000,
  trace,
}: {
  smtpUrl: string;
  timeoutMs?: number;
  trace?: Trace;
}) {
  const send = async (mail: Mail): Promise<{ messageId: string; response: string }> => {
    const transport = createTransport({
      url: smtpUrl,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    });
    const summary = JSON.stringify({
      messageId: mail.messageId,
      to: mail.to,
      subject: mail.subject,
      attachments: mail.attachments.map(({ filename }) => filename),
    });
    // The letter is read only after the server's 354, and nodemailer reports a broken line in the same words before and after.
    let handedOver = false;
    transport.use('stream', ({ message }, next) => {
      const open = message.createReadStream.bind(message);
      message.createReadStream = (options) =>
        open(options).on('newListener', (event) => (handedOver ||= event === 'data'));
      next();
    });
    try {
      const info = await transport.sendMail({ ...mail, disableFileAccess: true, disableUrlAccess: true });
      trace?.({ method: 'SMTP', url: '', requestBody: summary, status: 250, responseBody: String(info.response) });
      return { messageId: mail.messageId, response: String(info.response) };
    } catch (error) {
      const { code, responseCode, message } = error as { code?: string; responseCode?: number; message: string };
      trace?.({ method: 'SMTP', url: '', requestBody: summary, status: responseCode ?? null, responseBody: message });
      if (responseCode && responseCode >= 500)
        throw new Refused(`El servidor de correo rechazó el mensaje (${responseCode}).`, {
          status: responseCode,
          detail: message,
          cause: error,
        });
      if (responseCode && responseCode >= 400)
        throw new Unavailable(`El servidor de correo no lo aceptó por ahora (${responseCode}).`, {
          status: responseCode,
          cause: error,
        });
      if (code === 'EENVELOPE')
        throw new Refused('La dirección de correo no es válida.', { detail: message, cause: error });
      if (code && !handedOver) throw new Unavailable('No hay conexión con el servidor de correo.', { cause: error });
      throw new Uncertain('La conexión con el servidor de correo se cortó durante el envío.', { cause: error });
    } finally {
      transport.close();
    }
  };
  return {
    send: (mail: Mail) =>
      trazar({ nombre: 'llamada correo SMTP', clase: 'llama', datos: { 'peer.service': 'correo' } }, () => send(mail)),
  };
}

/** Greets the mail server and leaves. Throws Unavailable when it cannot be reached, or does not accept user and password (account). */
export async function verifyMailer({ smtpUrl, timeoutMs }: { smtpUrl: string; timeoutMs: number }): Promise<void> {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  try {
    await transport.verify();
  } catch (error) {
    if ((error as { code?: string }).code === 'EAUTH')
      throw new Unavailable('El servidor de correo no acepta el usuario o la contraseña.', {
        account: true,
        cause: error,
      });
    throw new Unavailable('No hay conexión con el servidor de correo.', { cause: error });
  } finally {
    transport.close();
  }
}
