import { type Refused, Unavailable, Uncertain, UnexpectedShape } from '../errors';
import type { HttpAnswer } from '../http.server';
import { folioOf, isUuid, pick } from './answers';
import { createConnection, type ConnectionOptions, type Credentials } from './connection.server';
import { readEnvelope, saysSuccess, type Json, type Negative } from './envelope';
import type { MotivoCancelacion, NewCfdi, NewClientePac, Stamped } from './nouns';
import { retryAfterOf } from './read.server';
import { accountRefusal, isClear, isDoubtful, refusalOf, saysExists, unknownNo } from './refusal';
import { clienteToWire, toWire, unstampable } from './wire';

/**
 * The half of factura.com's client that changes the world; only effects get it. JSON that says success or clearly refuses is believed.
 * Anything else throws Uncertain, since the work is done before the answer is written.
 */
export type FacturacomWriter = ReturnType<typeof createFacturacomWriter>;

/** Makes the writing client of an account. */
export function createFacturacomWriter(credentials: Credentials, options: ConnectionOptions = {}) {
  const connection = createConnection(credentials, options);
  const { stampTimeoutMs = 60_000 } = options;

  return {
    /** Creates and stamps. `numOrder` is our reference: the PAC keeps it and answers `exists` when it already has a CFDI with it. */
    async createCfdi(cfdi: NewCfdi, numOrder: string): Promise<Stamped> {
      const answer = await connection.post('/v4/cfdi40/create', toWire(cfdi, numOrder), stampTimeoutMs);
      const read = readWrite(answer, 'clear');
      if (read instanceof No) {
        const exists = existing(read.body);
        if (exists) return exists;
        throw read.failure;
      }
      const body = read;
      const [uid, uuid] = [uidOf(body), uuidOf(body)];
      // A draft answers success with 'sin_uuid': whatever was made, it is not a stamp we know.
      if (!uid || !uuid) throw new Uncertain('factura.com contestó éxito sin UUID', { status: answer.status });
      const inv = isObject(body.INV) ? body.INV : {};
      const folio = folioOf(String(inv.Folio ?? ''));
      return {
        kind: 'stamped',
        uid,
        uuid,
        serie: typeof inv.Serie === 'string' ? inv.Serie : null,
        folio: folio.folio,
        fechaTimbrado: pick(body, ['FechaTimbrado'], isText) ?? null,
      };
    },

    /**
     * Asks whether the account refuses an order number that it has stamped. No PAC can stamp the document: its date is years old, and its
     * keys are in none of the SAT's catalogues.
     */
    async askRepeated(
      numOrder: string,
      { clienteUid, serieId }: { clienteUid: string; serieId: number },
    ): Promise<{ refused: boolean; message: string }> {
      const answer = await connection.post('/v4/cfdi40/create', unstampable(numOrder, { clienteUid, serieId }));
      const read = readWrite(answer, 'any');
      if (!(read instanceof No)) throw new UnexpectedShape('factura.com aceptó un documento que no se puede timbrar');
      return { refused: existing(read.body) !== undefined || saysExists(read.message), message: read.failure.message };
    },

    async createClient(cliente: NewClientePac): Promise<{ uid: string }> {
      const answer = await connection.post('/v1/clients/create', clienteToWire(cliente));
      const uid = uidOf(writeAnswer(answer));
      if (!uid) throw new Uncertain('factura.com creó el cliente sin decir su UID', { status: answer.status });
      return { uid };
    },

    async updateClient(uid: string, cliente: NewClientePac): Promise<{ uid: string }> {
      const answer = await connection.post(`/v1/clients/${encodeURIComponent(uid)}/update`, clienteToWire(cliente));
      return { uid: uidOf(writeAnswer(answer)) ?? uid };
    },

    /** Asks the SAT to cancel. Success may only mean that the request was sent; `cancelStatus` tells the outcome. */
    async cancelCfdi(
      uid: string,
      { motivo, folioSustituto }: { motivo: MotivoCancelacion; folioSustituto?: string },
    ): Promise<{ acuse: string | null; mensaje: string }> {
      const answer = await connection.post(`/v4/cfdi40/${encodeURIComponent(uid)}/cancel`, {
        motivo,
        ...(folioSustituto && { folioSustituto }),
      });
      const body = writeAnswer(answer, 'clear');
      const inner = isObject(body.respuestaapi) ? body.respuestaapi : {};
      return {
        acuse: typeof inner.acuse === 'string' ? inner.acuse : null,
        mensaje: typeof body.message === 'string' ? body.message : '',
      };
    },

    /** Sends factura.com's own letter to the addresses of the client. */
    async sendEmail(uid: string): Promise<void> {
      writeAnswer(await connection.get(`/v4/cfdi40/${encodeURIComponent(uid)}/email`));
    },
  };
}

/** A no with its body, in which a stamp looks for the CFDI that exists already. */
class No extends Error {
  constructor(
    readonly body: Json,
    readonly failure: Refused | Uncertain,
  ) {
    super(failure.message);
  }
}

/**
 * The kind of no that is believed. For a stamp or a cancellation only a clear one is, since a second call may make a second document. For a
 * client any no is that does not speak of trouble, since the person at the form has to read it.
 */
type Believes = 'clear' | 'any';

/**
 * The body of a success, or the no. 429 is decided before any work (RFC 6585), as is a 503 of the front server (with Retry-After, or
 * nginx's own page). Any other 5xx may come from behind, after the work, and throws Uncertain.
 */
function readWrite({ status, headers, body }: HttpAnswer, believes: Believes): Json | No {
  const text = body.toString('utf8');
  if (status === 429)
    throw new Unavailable('factura.com pidió esperar', { status, retryAfterMs: retryAfterOf(headers) });
  if (status === 503 && (headers.has('retry-after') || /<center>nginx/i.test(text)))
    throw new Unavailable('factura.com no está disponible', { status, retryAfterMs: retryAfterOf(headers) });
  if (status >= 500 || status === 408) throw new Uncertain(`factura.com contestó ${status}`, { status });
  const envelope = readEnvelope(status, text);
  if (envelope.kind === 'unreadable') {
    // A gateway's own page tells nothing of the work behind it; the look that follows learns whether the keys are wrong.
    if (believes === 'any' && (status === 401 || status === 403)) throw accountRefusal(status);
    throw new Uncertain('factura.com contestó algo que no es JSON', { status });
  }
  if (envelope.kind === 'success') return requireSuccess(envelope.body, status);
  return new No(envelope.body, failureOf(envelope, believes));
}

function failureOf(no: Negative, believes: Believes): Refused | Uncertain {
  if (no.keys) return refusalOf(no);
  if (isDoubtful(no)) return new Uncertain(`factura.com: ${no.message}`, { status: no.status });
  return believes === 'any' || isClear(no)
    ? refusalOf(no)
    : new Uncertain(unknownNo(no.message), { status: no.status });
}

function writeAnswer(answer: HttpAnswer, believes: Believes = 'any'): Json {
  const read = readWrite(answer, believes);
  if (read instanceof No) throw read.failure;
  return read;
}

function requireSuccess(body: Json, status: number): Json {
  if (!saysSuccess(body) && !uuidOf(body)) throw new Uncertain('factura.com no dijo si lo hizo', { status });
  return body;
}

function existing(body: Json): Stamped | undefined {
  const [uid, uuid] = [uidOf(body), uuidOf(body)];
  return uid && uuid ? { kind: 'exists', uid, uuid, xml: pick(body, ['xml', 'XML'], isText) ?? null } : undefined;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const uidOf = (body: Json) => pick(body, ['UID', 'uid', 'invoice_uid'], isText);
const uuidOf = (body: Json) => pick(body, ['UUID', 'uuid'], isUuid)?.toUpperCase();
