/** Mail: an SMTP server whose inbox can be read over HTTP by people ('/correo') and by tests ('/control/correo'). */
import { layout, localTime, table } from '../html';
import {
  answerOrBack,
  escapeText,
  html,
  json,
  type SandboxRequest,
  type SandboxResponse,
  type Service,
  type ServiceOptions,
} from '../service';
import { bytesOf, Inbox, type MailSummary } from './inbox';

export interface Correo extends Service {
  /** Delivers a mail that another service sends. */
  deliver(raw: Buffer, recipients: string[]): Promise<MailSummary>;
}

export function createCorreo(options: ServiceOptions): Correo {
  const inbox = new Inbox(options.store);
  const notFound = () => json(404, { error: 'not_found', message: 'No existe ese correo' });

  async function readMail({ params }: SandboxRequest): Promise<SandboxResponse> {
    const opened = await inbox.open(params.id ?? '');
    return opened
      ? json(200, { ...opened.summary, text: opened.mail.text ?? '', html: opened.mail.html ?? '' })
      : notFound();
  }

  async function readAttachment({ params }: SandboxRequest): Promise<SandboxResponse> {
    const opened = await inbox.open(params.id ?? '');
    const attachment = opened?.mail.attachments[Number(params.n)];
    if (!attachment) return notFound();
    const filename = encodeURIComponent(attachment.filename ?? 'adjunto');
    const headers = {
      'content-type': attachment.mimeType,
      'content-disposition': `attachment; filename*=UTF-8''${filename}`,
    };
    return { status: 200, headers, body: bytesOf(attachment.content) };
  }

  function readRaw({ params }: SandboxRequest): SandboxResponse {
    const raw = inbox.raw(params.id ?? '');
    return raw ? { status: 200, headers: { 'content-type': 'message/rfc822' }, body: raw } : notFound();
  }

  async function showMail(id: string): Promise<SandboxResponse> {
    const opened = await inbox.open(id);
    if (!opened)
      return html(404, layout('Correo', '<h1>No existe ese correo</h1><p><a href="/correo">Bandeja</a></p>'));
    const { summary, mail } = opened;
    const attachments = summary.attachments.map(
      (attachment, n) =>
        `<li><a href="/control/correo/${summary.id}/adjunto/${n}">${escapeText(attachment.filename)}</a> <span class="soft">${escapeText(attachment.type)}, ${attachment.size} bytes</span></li>`,
    );
    return html(
      200,
      layout(
        summary.subject,
        `<nav><a href="/correo">Bandeja</a><a href="/control/correo/${summary.id}/eml">Original</a></nav><h1>${escapeText(summary.subject)}</h1>
<p>De <b>${escapeText(summary.from)}</b> para <b>${escapeText([...summary.to, ...summary.cc].join(', '))}</b> · ${localTime(summary.at)}</p>
<section>${mail.html ? `<iframe title="Mensaje" sandbox="" style="width:100%;height:28rem;border:0" srcdoc="${escapeText(mail.html)}"></iframe>` : `<pre>${escapeText(mail.text)}</pre>`}</section>
${attachments.length > 0 ? `<section><h2>Adjuntos</h2><ul>${attachments.join('')}</ul></section>` : ''}`,
      ),
    );
  }

  function showInbox(): SandboxResponse {
    const rows = table(
      inbox.list().slice(0, 200),
      [
        { header: 'Fecha', cell: (mail) => localTime(mail.at) },
        { header: 'Para', cell: (mail) => escapeText([...mail.to, ...mail.cc].join(', ')) },
        {
          header: 'Asunto',
          kind: 'text',
          cell: (mail) => `<a href="/correo/${mail.id}">${escapeText(mail.subject || '(sin asunto)')}</a>`,
        },
        { header: 'De', cell: (mail) => escapeText(mail.from) },
        { header: 'Adjuntos', kind: 'n', cell: (mail) => String(mail.attachments.length) },
      ],
      'Todavía no llega ningún correo.',
    );
    return html(
      200,
      layout(
        'Bandeja de correo',
        `<nav><a href="/">Sandbox</a></nav><h1>Bandeja de correo</h1><p class="soft">Se muestran los 200 más recientes.</p><section>${rows}</section>`,
      ),
    );
  }

  return {
    name: 'correo',
    title: 'Correo',
    about: 'Servidor SMTP sin contraseña: guarda todo lo que se le envía y no entrega nada a nadie.',
    prefixes: ['/correo'],
    faultRoute: 'SMTP',
    // Faults of mail happen in the SMTP conversation. This row only names the mode that no other service has.
    modes: { 'refuse-one': (answer) => answer },
    handle: (request) => (request.path === '/' ? showInbox() : showMail(decodeURIComponent(request.path.slice(1)))),
    control: {
      'GET /': ({ url }) =>
        json(
          200,
          inbox.list({
            to: url.searchParams.get('to') ?? undefined,
            subject: url.searchParams.get('subject') ?? undefined,
          }),
        ),
      'GET /:id': readMail,
      'GET /:id/adjunto/:n': readAttachment,
      'GET /:id/eml': readRaw,
      'POST /vaciar': (request) => {
        inbox.reset();
        return answerOrBack(request, { ok: true });
      },
    },
    counts: () => ({ 'Correos recibidos': inbox.count() }),
    page: () => '<p><a href="/correo">Abrir la bandeja</a></p>',
    reset: () => inbox.reset(),
    deliver: (raw, recipients) => inbox.receive(raw, recipients),
  };
}
