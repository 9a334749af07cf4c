import { z } from 'zod';
import { addDays } from '~/core/time';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '../errors';
import type { HttpAnswer } from '../http.server';
import { cfdiOf, clienteOf, cuentaOf, manyOf, oneOf, parse, rowOf, serieOf } from './answers';
import { createConnection, type ConnectionOptions, type Credentials } from './connection.server';
import { isJson, readEnvelope, saysError, saysSuccess, type Envelope, type Json, type Negative } from './envelope';
import type { CfdiPac, ClientePac, CuentaPac, SeriePac } from './nouns';
import { accountRefusal, isTrouble, refusalOf } from './refusal';

/**
 * The half of factura.com that changes nothing. A read that got no clear answer did nothing, so it is `Unavailable`: ask again.
 */
export type FacturacomReader = ReturnType<typeof createFacturacomReader>;

/** A CFDI found by our reference; `repetidos` counts further live ones with the same reference, which should never exist. */
export type FoundCfdi = CfdiPac & { repetidos: number };

export type EstadoCancelacion = { estado: string; esCancelable: string; estatusCancelacion: string };

const MAX_PAGES = 300;
const PER_PAGE = 100;
const NOT_FOUND = /no (?:se )?(?:existe|encontr)|no encontrad|sin resultados|not found/i;

export function createFacturacomReader(credentials: Credentials, options: ConnectionOptions = {}) {
  const connection = createConnection(credentials, options);

  /** One thing, or those of one RFC: the body of a success; undefined when the PAC says there is no such thing. */
  async function find(path: string): Promise<Json | undefined> {
    const envelope = envelopeOf(await reading(() => connection.get(path)));
    if (envelope.kind === 'success') return envelope.body;
    if (envelope.keys) throw accountRefusal(envelope.status);
    if (isTrouble(envelope.message))
      throw new Unavailable(`factura.com: ${envelope.message}`, { status: envelope.status });
    if (isAbsent(envelope)) return undefined;
    // Without the vendor's own word it is the 404 of a route or a gateway.
    if (envelope.status === 404) throw new Unavailable('factura.com contestó 404', { status: 404 });
    throw refusalOf(envelope);
  }

  /** A list. Only a success that says so can be empty: no words of a refusal mean that there is nothing, whatever they name. */
  async function list(path: string): Promise<Json> {
    const envelope = envelopeOf(await reading(() => connection.get(path)));
    if (envelope.kind === 'error') {
      if (envelope.keys) throw accountRefusal(envelope.status);
      throw new Unavailable(`factura.com no entregó la lista de CFDI: ${envelope.message}`, {
        status: envelope.status,
      });
    }
    if (!saysSuccess(envelope.body))
      throw new UnexpectedShape('factura.com: la lista de CFDI no dice si está completa');
    return envelope.body;
  }

  async function get(path: string): Promise<Json> {
    const body = await find(path);
    if (!body) throw new Refused('factura.com no encontró lo que se le pidió.', { status: 404 });
    return body;
  }

  async function* listCfdis(month: string, rfc: string | undefined): AsyncGenerator<unknown> {
    const filter = new URLSearchParams({
      year: month.slice(0, 4),
      month: month.slice(5, 7),
      per_page: String(PER_PAGE),
      ...(rfc && { rfc }),
    });
    for (let page = 1; page <= MAX_PAGES; page++) {
      filter.set('page', String(page));
      const body = await list(`/v4/cfdi/list?${filter}`);
      const { last_page } = parse('la lista de CFDI', ListPage, body);
      yield* manyOf(body);
      if (page >= last_page) return;
    }
    throw new UnexpectedShape(`factura.com: más de ${MAX_PAGES} páginas de CFDI en un mes`);
  }

  async function findCfdi(path: string): Promise<CfdiPac | undefined> {
    const body = await find(path);
    return body && cfdiOf(isJson(body.data) || isJson(body.Data) ? oneOf(body) : body);
  }

  async function download(uid: string, kind: 'xml' | 'pdf' | 'acuse', begins: string): Promise<Buffer> {
    const answer = await reading(() => connection.get(`/v4/cfdi40/${encodeURIComponent(uid)}/${kind}`));
    if (answer.status < 400) {
      const bytes = fileOf(answer.body, begins);
      if (bytes) return bytes;
    }
    const envelope = envelopeOf(answer);
    if (envelope.kind === 'error' && envelope.keys) throw accountRefusal(answer.status);
    // Only files of CFDI that exist are asked for, so a no means 'not yet'.
    throw new Unavailable(
      `factura.com no entregó el ${kind.toUpperCase()} del CFDI${envelope.kind === 'error' ? `: ${envelope.message}` : ''}`,
      { status: answer.status },
    );
  }

  return {
    /** The company behind the keys: the cheapest check that they work. */
    async account(): Promise<CuentaPac> {
      return cuentaOf(oneOf(await get('/v1/current/account')));
    },

    /** Every client with that RFC: several legal names are normal. */
    async clientsByRfc(rfc: string): Promise<ClientePac[]> {
      const body = await find(`/v1/clients/rfc/${encodeURIComponent(rfc)}`);
      return body ? manyOf(body).map(clienteOf) : [];
    },

    async clientByUid(uid: string): Promise<ClientePac | undefined> {
      const body = await find(`/v1/clients/${encodeURIComponent(uid)}`);
      return body && clienteOf(oneOf(body));
    },

    async series(): Promise<SeriePac[]> {
      return manyOf(await get('/v4/series')).map(serieOf);
    },

    async catalogue(
      name: 'UsoCfdi' | 'RegimenFiscal' | 'FormaPago' | 'MetodoPago' | 'ClaveUnidad' | 'ClaveProductServ' | 'Relacion',
    ): Promise<{ key: string; name: string }[]> {
      return manyOf(await get(`/v3/catalogo/${name}`)).map((row) => parse('un catálogo', KeyName, row));
    },

    /**
     * The CFDI that carries our reference, or 'absent' after looking through every page of the months it can be in and the
     * old list by RFC. `fecha` is the local date of the document: stamping happens within 72 hours of it.
     */
    async findByNumOrder(
      numOrder: string,
      { rfc, fecha }: { rfc: string; fecha: string },
    ): Promise<FoundCfdi | 'absent'> {
      const found = new Map<string, CfdiPac>();
      let unfinished = false;
      const keep = (body: unknown) => {
        const row = rowOf(body);
        if (row.numOrder !== numOrder) return;
        if (row.cfdi) found.set(row.cfdi.uid, row.cfdi);
        else unfinished = true;
      };
      // Ñ and & have more than one way to travel in a filter: such months are read whole.
      const filter = /^[A-Z0-9]+$/.test(rfc) ? rfc : undefined;
      for (const month of monthsAround(fecha)) for await (const row of listCfdis(month, filter)) keep(row);
      if (found.size === 0) manyOf(await list(`/v1/invoices/${encodeURIComponent(rfc)}`)).forEach(keep);
      // It may still be getting its stamp.
      if (found.size === 0 && unfinished) throw new Unavailable(`factura.com tiene la orden ${numOrder} sin UUID`);
      const live = [...found.values()].sort((a, b) => Number(a.cancelada) - Number(b.cancelada));
      const [first, ...others] = live;
      return first ? { ...first, repetidos: others.filter((cfdi) => !cfdi.cancelada).length } : 'absent';
    },

    /** What was stamped in a month ('YYYY-MM'), page by page; of one receiver or of all. */
    async *cfdisOfMonth(month: string, rfc?: string): AsyncGenerator<CfdiPac> {
      for await (const row of listCfdis(month, rfc)) {
        const { cfdi } = rowOf(row);
        if (cfdi) yield cfdi;
      }
    },

    findByUid: (uid: string) => findCfdi(`/v4/cfdi/uid/${encodeURIComponent(uid)}`),
    findByUuid: (uuid: string) => findCfdi(`/v4/cfdi/uuid/${encodeURIComponent(uuid)}`),

    /** The stamped bytes as they came: they are kept unchanged. */
    downloadXml: (uid: string) => download(uid, 'xml', '<'),
    downloadPdf: (uid: string) => download(uid, 'pdf', '%PDF'),
    /** The SAT's receipt of a cancellation. */
    downloadAcuse: (uid: string) => download(uid, 'acuse', '<'),

    async cancelStatus(uid: string): Promise<EstadoCancelacion> {
      const read = parse(
        'el estado de cancelación',
        CancelStatus,
        oneOf(await get(`/v4/cfdi40/${encodeURIComponent(uid)}/cancel_status`)),
      );
      return {
        estado: read.Estado,
        esCancelable: read.EsCancelable,
        estatusCancelacion: typeof read.EstatusCancelacion === 'string' ? read.EstatusCancelacion : '',
      };
    },
  };
}

const ListPage = z.object({ last_page: z.coerce.number().int().min(0) });
const KeyName = z.object({ key: z.coerce.string(), name: z.string() });
/** An empty EstatusCancelacion comes as an empty list. */
const CancelStatus = z.object({
  Estado: z.string(),
  EsCancelable: z.string(),
  EstatusCancelacion: z.union([z.string(), z.array(z.unknown())]),
});

const isAbsent = ({ status, body, message }: Negative) => (status === 404 ? saysError(body) : NOT_FOUND.test(message));

/** The months a CFDI dated `fecha` may have been stamped in. */
function monthsAround(fecha: string): string[] {
  const day = fecha.slice(0, 10);
  return [...new Set([-1, 0, 4].map((days) => addDays(day, days).slice(0, 7)))];
}

/** Raw bytes, or `{"data": "<base64>"}` as some notes have it. */
function fileOf(body: Buffer, begins: string): Buffer | undefined {
  const starts = (bytes: Buffer) =>
    bytes
      .subarray(0, 16)
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trimStart()
      .startsWith(begins);
  if (starts(body))
    return /^\s*<(?:!doctype html|html)/i.test(body.subarray(0, 64).toString('utf8')) ? undefined : body;
  const encoded = /^\s*\{\s*"data"\s*:\s*"([A-Za-z0-9+/=\\]+)"\s*\}\s*$/.exec(body.toString('utf8'))?.[1];
  const decoded = encoded === undefined ? undefined : Buffer.from(encoded.replaceAll('\\/', '/'), 'base64');
  return decoded && starts(decoded) ? decoded : undefined;
}

async function reading(call: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Uncertain)
      throw new Unavailable(`factura.com: ${error.message}`, { ...error.details, cause: error });
    throw error;
  }
}

function envelopeOf({ status, headers, body }: HttpAnswer): Exclude<Envelope, { kind: 'unreadable' }> {
  if (status === 429)
    throw new Unavailable('factura.com pidió esperar', { status, retryAfterMs: retryAfterOf(headers) });
  if (status >= 500) throw new Unavailable(`factura.com contestó ${status}`, { status });
  const envelope = readEnvelope(status, body.toString('utf8'));
  if (envelope.kind !== 'unreadable') return envelope;
  if (status === 401 || status === 403) throw accountRefusal(status);
  throw new Unavailable('factura.com contestó algo que no es JSON', { status });
}

export function retryAfterOf(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3_600) * 1_000 : undefined;
}
