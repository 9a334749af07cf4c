/** The mails that arrived. Their raw text is kept in files, and a summary of each in the journal. */
import { randomBytes } from 'node:crypto';
import PostalMime, { type Email } from 'postal-mime';
import type { Store } from '../service';

export interface MailSummary {
  id: string;
  from: string;
  to: string[];
  cc: string[];
  subject: string;
  text: string;
  at: string;
  attachments: { filename: string; type: string; size: number }[];
}

export class Inbox {
  private mails: MailSummary[] = [];

  constructor(private readonly store: Store) {
    this.mails = store.records() as MailSummary[];
  }

  /** Keeps a mail. `recipients` are those of the envelope, the only place where a blind copy shows. */
  async receive(raw: Buffer, recipients: string[]): Promise<MailSummary> {
    const mail = await PostalMime.parse(raw);
    const cc = addresses(mail.cc);
    const summary: MailSummary = {
      id: `${Date.now().toString(36)}${randomBytes(4).toString('hex')}`,
      from: mail.from?.address ?? '',
      to: recipients.filter((address) => !cc.includes(address)),
      cc,
      subject: mail.subject ?? '',
      text: mail.text ?? '',
      at: new Date().toISOString(),
      attachments: mail.attachments.map((attachment) => ({
        filename: attachment.filename ?? 'sin-nombre',
        type: attachment.mimeType,
        size: bytesOf(attachment.content).length,
      })),
    };
    this.store.write(`${summary.id}.eml`, raw);
    this.store.append(summary);
    this.mails.push(summary);
    return summary;
  }

  /** The mails that fit a filter, newest first. */
  list(filter: { to?: string; subject?: string } = {}): MailSummary[] {
    return this.mails
      .filter((mail) => !filter.to || mail.to.includes(filter.to) || mail.cc.includes(filter.to))
      .filter((mail) => !filter.subject || mail.subject.includes(filter.subject))
      .reverse();
  }

  count(): number {
    return this.mails.length;
  }

  raw(id: string): Buffer | undefined {
    return this.mails.some((mail) => mail.id === id) ? this.store.read(`${id}.eml`) : undefined;
  }

  async open(id: string): Promise<{ summary: MailSummary; mail: Email } | undefined> {
    const summary = this.mails.find((mail) => mail.id === id);
    const raw = this.raw(id);
    return summary && raw ? { summary, mail: await PostalMime.parse(raw) } : undefined;
  }

  reset() {
    this.mails = [];
    this.store.clear();
  }
}

export function bytesOf(content: Email['attachments'][number]['content']): Buffer {
  return typeof content === 'string'
    ? Buffer.from(content, 'utf8')
    : Buffer.from(content instanceof Uint8Array ? content : new Uint8Array(content));
}

function addresses(list: Email['cc']): string[] {
  return (list ?? [])
    .flatMap((entry) => (entry.group ? entry.group.map((one) => one.address) : [entry.address]))
    .filter((address) => address !== undefined);
}
