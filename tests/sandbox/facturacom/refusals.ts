/** The shapes in which this API says no. Each travels with HTTP 200: a client decides by content. */
import { json, type SandboxResponse } from '../service';
import { MATRIZ } from './matriz';

/** An error that validation throws. `answer(xmlerror)` returns the response to send. */
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

/** A refusal by the SAT's matrix: 'CFDI40145 - ...', nested. */
export function pacRefusal(code: string, text: string, detail = ''): Refusal {
  const message = `${code} - ${text}`;
  return new Refusal(
    message,
    { response: 'error', message: { message, messageDetail: detail, data: null, status: 'error' } },
    true,
  );
}

/** Throws the refusal of a rule of the matrix unless the document keeps that rule. */
export function requireRule(kept: unknown, code: keyof typeof MATRIZ, detail?: string): asserts kept {
  if (!kept) throw pacRefusal(code, MATRIZ[code], detail);
}

/** Throws the refusal of a rule of the matrix when the document breaks that rule. */
export function refuseIf(broken: unknown, code: keyof typeof MATRIZ, detail?: string) {
  if (broken) throw pacRefusal(code, MATRIZ[code], detail);
}

/** A refusal by factura.com itself. */
export function ownRefusal(text: string): Refusal {
  return new Refusal(text, { response: 'error', message: text }, false);
}

/** A refusal as the calls of clients and series word it. */
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

/** A refusal as a bare array of sentences, which some validations give. */
export function sentencesRefusal(sentences: string[]): Refusal {
  return new Refusal(sentences.join(' '), sentences, false);
}
