import { type Refused, Unavailable, Uncertain } from '../errors';
import type { HttpAnswer } from '../http.server';
import { folioOf, isUuid, pick } from './answers';
import { createConnection, type ConnectionOptions, type Credentials } from './connection.server';
import { accountRefusal, readEnvelope, refusalOf, type Json } from './envelope';
import type { MotivoCancelacion, NewCfdi, NewClientePac, Stamped } from './nouns';
import { retryAfterOf } from './read.server';
import { clienteToWire, toWire } from './wire';

/**
 * The half of factura.com that changes the world: only effects import it. An answer is believed when it is JSON that says
 * success or says no; everything else is `Uncertain`, since the work is done before the answer is written.
 */
export type FacturacomWriter = ReturnType<typeof createFacturacomWriter>;

export function createFacturacomWriter(credentials: Credentials, options: ConnectionOptions = {}) {
  const connection = createConnection(credentials, options);
  const { stampTimeoutMs = 60_000 } = options;

  return {
    /** Creates and stamps. `numOrder` is our reference: the PAC keeps it and answers `exists` when it already has a CFDI with it. */
    async createCfdi(cfdi: NewCfdi, numOrder: string): Promise<Stamped> {
      const answer = await connection.post('/v4/cfdi40/create', toWire(cfdi, numOrder), stampTimeoutMs);
      const read = readWrite(answer);
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
        kind: 'stamped', uid, uuid,
        serie: typeof inv.Serie === 'string' ? inv.Serie : null,
        folio: folio.folio,
        fechaTimbrado: pick(body, ['FechaTimbrado'], isText) ?? null,
      };
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

    /** A success may only mean that the request was sent: `cancelStatus` tells. */
    async cancelCfdi(uid: string, { motivo, folioSustituto }: { motivo: MotivoCancelacion; folioSustituto?: string }): Promise<{ acuse: string | null; mensaje: string }> {
      const answer = await connection.post(`/v4/cfdi40/${encodeURIComponent(uid)}/cancel`, { motivo, ...(folioSustituto && { folioSustituto }) });
      const body = writeAnswer(answer);
      const inner = isObject(body.respuestaapi) ? body.respuestaapi : {};
      return { acuse: typeof inner.acuse === 'string' ? inner.acuse : null, mensaje: typeof body.message === 'string' ? body.message : '' };
    },

    /** factura.com's own letter to the addresses of the client. */
    async sendEmail(uid: string): Promise<void> {
      writeAnswer(await connection.get(`/v4/cfdi40/${encodeURIComponent(uid)}/email`));
    },
  };
}

/** Words of a PAC that could not be reached or asked for patience: factura.com says no, and the stamp may exist all the same. */
const UNCLEAR_NO = /time.?out|tiempo de espera|agotad[oa] el tiempo|tiempo agotado|conexi[oó]n|comunicaci[oó]n|curl|gateway|int[eé]nt[ea]\w* (?:de nuevo|nuevamente|m[aá]s tarde)|temporalmente|en proceso/i;

/** A no, with the body it came in: a stamp looks for the CFDI that already exists there. */
class No extends Error {
  constructor(readonly body: Json, readonly failure: Refused | Uncertain) {
    super(failure.message);
  }
}

/**
 * The body of a success, or the no. 429 is decided before any work (RFC 6585), and so is a 503 that the front server makes
 * itself (with Retry-After, or nginx's own page); any other 5xx may come from behind, after the work.
 */
function readWrite({ status, headers, body }: HttpAnswer): Json | No {
  const text = body.toString('utf8');
  if (status === 429) throw new Unavailable('factura.com pidió esperar', { status, retryAfterMs: retryAfterOf(headers) });
  if (status === 503 && (headers.has('retry-after') || /<center>nginx/i.test(text)))
    throw new Unavailable('factura.com no está disponible', { status, retryAfterMs: retryAfterOf(headers) });
  if (status >= 500 || status === 408) throw new Uncertain(`factura.com contestó ${status}`, { status });
  const envelope = readEnvelope(status, text);
  if (envelope.kind === 'unreadable') {
    if (status === 401 || status === 403) throw accountRefusal(status);
    throw new Uncertain('factura.com contestó algo que no es JSON', { status });
  }
  if (envelope.kind === 'success') return requireSuccess(envelope.body, status);
  // 307: the document already carries a stamp. Something exists, so it is looked up.
  const unclear = envelope.code === '307' || /ya existe un cfdi/i.test(envelope.message) || (!envelope.code && UNCLEAR_NO.test(envelope.message));
  return new No(envelope.body, unclear && !envelope.keys ? new Uncertain(`factura.com: ${envelope.message}`, { status }) : refusalOf(status, envelope));
}

function writeAnswer(answer: HttpAnswer): Json {
  const read = readWrite(answer);
  if (read instanceof No) throw read.failure;
  return read;
}

/** JSON that says neither yes nor no (an object of some proxy) is no answer. */
function requireSuccess(body: Json, status: number): Json {
  const says = [body.response, body.status].some((word) => typeof word === 'string' && word.toLowerCase() === 'success');
  if (!says && !uuidOf(body)) throw new Uncertain('factura.com no dijo si lo hizo', { status });
  return body;
}

function existing(body: Json): Stamped | undefined {
  const [uid, uuid] = [uidOf(body), uuidOf(body)];
  return uid && uuid ? { kind: 'exists', uid, uuid, xml: pick(body, ['xml', 'XML'], isText) ?? null } : undefined;
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const uidOf = (body: Json) => pick(body, ['UID', 'uid', 'invoice_uid'], isText);
const uuidOf = (body: Json) => pick(body, ['UUID', 'uuid'], isUuid)?.toUpperCase();
