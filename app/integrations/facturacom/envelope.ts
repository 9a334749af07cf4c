import { withoutEntities } from '~/core/htmlEntities';

/**
 * factura.com answers in three envelopes and success is decided by content, never by HTTP status alone:
 * `{status, Data|data}`, `{response, ...}`, or a bare array of sentences when it refuses.
 */
export type Json = Record<string, unknown>;

export type Envelope =
  | { kind: 'success'; body: Json }
  | {
      kind: 'error';
      status: number;
      body: Json;
      message: string;
      detail: string;
      code: string | undefined;
      keys: boolean;
      fields: boolean;
    }
  /** HTML, half an answer, or nothing, which tells nothing of the work. */
  | { kind: 'unreadable' };

/** An answer that refuses, in any of its shapes. */
export type Negative = Extract<Envelope, { kind: 'error' }>;

const MAX_MESSAGE = 300;
/** Codes with which a PAC refuses, beside the SAT's matrix. 307, already stamped, is in doubt; any other three digits may be a gateway's. */
const PAC_CODES = new Set([
  '202',
  '203',
  '205',
  '301',
  '302',
  '303',
  '304',
  '305',
  '306',
  '307',
  '308',
  '401',
  '402',
  '403',
]);

/** Reads the envelope of an answer. Never throws: a body that is no JSON is 'unreadable'. */
export function readEnvelope(status: number, text: string): Envelope {
  const parsed = parse(text);
  if (Array.isArray(parsed)) {
    if (parsed.length > 0 && parsed.every((one) => typeof one === 'string'))
      return errorOf(status, { message: parsed });
    // /clients/lco answers a list with one envelope inside.
    return isJson(parsed[0]) ? readEnvelopeObject(status, parsed[0]) : { kind: 'unreadable' };
  }
  return isJson(parsed) ? readEnvelopeObject(status, parsed) : { kind: 'unreadable' };
}

function readEnvelopeObject(status: number, body: Json): Envelope {
  const failed = status >= 400 || saysOf(body).includes('error') || body.error === true;
  return failed ? errorOf(status, body) : { kind: 'success', body };
}

/** Whether an answer says success. JSON that says neither yes nor no, as of a proxy, is no success. */
export const saysSuccess = (body: Json) => saysOf(body).includes('success');
/** Whether an answer says error. */
export const saysError = (body: Json) => saysOf(body).includes('error');
const saysOf = (body: Json) =>
  [body.response, body.status].map((word) => (typeof word === 'string' ? word.toLowerCase() : ''));

function errorOf(status: number, body: Json): Negative {
  const said = body.message ?? body.messsage ?? body.error;
  const { message, detail } = messageOf(said);
  const why = detail || clean(sentences(body.errors).join(' '));
  const code = codeOf(message) ?? codeOf(detail);
  // The answer to bad keys holds the keys in Data and Secret, so nothing of that body is kept.
  const echoesKeys = typeof body.Secret === 'string';
  const keys = status === 401 || status === 403 || echoesKeys || /cuenta que intenta autenticarse/i.test(message);
  return {
    kind: 'error',
    status,
    body: echoesKeys ? {} : body,
    message: message || `factura.com contestó ${status} sin explicación`,
    detail: why,
    code,
    keys,
    fields: isFields(said) || isFields(body.errors),
  };
}

/** Whether a value is lists of sentences by field: `{rfc: ['El campo rfc es requerido']}`. */
function isFields(value: unknown): boolean {
  if (!isJson(value)) return false;
  const entries = Object.entries(value);
  const isList = (one: unknown) =>
    Array.isArray(one) && one.length > 0 && one.every((sentence) => typeof sentence === 'string');
  return (
    entries.length > 0 &&
    entries.every(([name, one]) => !/^(?:message|error|errors|exception|status|response)$/i.test(name) && isList(one))
  );
}

/** A readable Spanish text of a `message`: a text, `{message, messageDetail}`, or lists of sentences by field. */
export function messageOf(message: unknown): { message: string; detail: string } {
  if (isJson(message) && typeof message.message === 'string')
    return { message: clean(message.message), detail: clean(sentences(message.messageDetail).join(' ')) };
  return { message: clean(sentences(message).join(' ')), detail: '' };
}

function sentences(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(sentences);
  return isJson(value) ? Object.values(value).flatMap(sentences) : [];
}

/** Characters of an error's page that are read. Its end says nothing new, and a tag that never closes would be looked for again from each place. */
const MOST_TEXT = 20_000;

function clean(text: string): string {
  const words = text
    .slice(0, MOST_TEXT)
    .replace(/<(style|script)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^<>]*>/g, ' ');
  const plain = withoutEntities(words).replace(/\s+/g, ' ').trim();
  const repaired = repairMojibake(plain);
  return repaired.length > MAX_MESSAGE ? `${repaired.slice(0, MAX_MESSAGE - 1)}…` : repaired;
}

/** Repairs UTF-8 that was read as Latin-1 on the way ('Ã³' is 'ó'); sequences that do not decode stay. */
function repairMojibake(text: string): string {
  return text.replace(/[\u00C2-\u00F4][\u0080-\u00BF]{1,3}/g, (sequence) => {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(sequence, 'latin1'));
    } catch (error) {
      if (error instanceof TypeError) return sequence;
      throw error;
    }
  });
}

/** The code of a text: 'CFDI40145', or three digits that a PAC is known to say ('401'). */
function codeOf(text: string): string | undefined {
  const sat = /CFDI\s?(\d{5})/i.exec(text);
  if (sat) return `CFDI${sat[1]}`;
  const digits = /^\s*(?:error\s*)?(\d{3})\s*[-:.]/i.exec(text)?.[1];
  return digits !== undefined && PAC_CODES.has(digits) ? digits : undefined;
}

/** Whether a value is a JSON object. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
