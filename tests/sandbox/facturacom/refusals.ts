/** The shapes in which this API says no. All of them travel with HTTP 200: a client decides by content. */
import { json, type SandboxResponse } from '../service';

/** Thrown by whatever validates; `answer(xmlerror)` gives what is sent. */
export class Refusal extends Error {
  constructor(
    message: string,
    private readonly body: unknown,
    readonly fromPac: boolean,
  ) {
    super(message);
  }

  answer(xmlerror = ''): SandboxResponse {
    return json(200, this.fromPac ? { ...(this.body as object), xmlerror } : this.body);
  }
}

/** What the SAT's matrix refuses: 'CFDI40145 - ...', nested. */
export function pacRefusal(code: string, text: string, detail = ''): Refusal {
  const message = `${code} - ${text}`;
  return new Refusal(
    message,
    { response: 'error', message: { message, messageDetail: detail, data: null, status: 'error' } },
    true,
  );
}

/** What factura.com itself refuses. */
export function ownRefusal(text: string): Refusal {
  return new Refusal(text, { response: 'error', message: text }, false);
}

/** The first family of answers (clients, series). */
export function statusRefusal(message: string | Record<string, string[]>): Refusal {
  return new Refusal(
    typeof message === 'string' ? message : Object.values(message).flat().join(' '),
    { status: 'error', message },
    false,
  );
}

export function fieldsRefusal(fields: Record<string, string[]>): Refusal {
  return new Refusal(Object.values(fields).flat().join(' '), { response: 'error', message: fields }, false);
}

/** Some validations come as a bare array of sentences. */
export function sentencesRefusal(sentences: string[]): Refusal {
  return new Refusal(sentences.join(' '), sentences, false);
}
