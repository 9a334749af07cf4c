import { z } from 'zod';
import { addDays } from '~/core/time';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '../errors';
import type { HttpAnswer } from '../http.server';
import {
  cfdiOf,
  clienteOf,
  cuentaOf,
  listPageOf,
  manyOf,
  oldRowOf,
  oneOf,
  parse,
  rowOf,
  serieOf,
  type ListPage,
} from './answers';
import { createConnection, type ConnectionOptions, type Credentials } from './connection.server';
import { isJson, readEnvelope, saysError, type Envelope, type Json, type Negative } from './envelope';
import type { CfdiPac, ClientePac, CuentaPac, SeriePac } from './nouns';
import { accountRefusal, isAccount, isTrouble, refusalOf } from './refusal';

/** The half of factura.com's client that changes nothing. A read without a clear answer throws Unavailable, since nothing was done. */
export type FacturacomReader = ReturnType<typeof createFacturacomReader>;

/** A CFDI found by our reference. `repetidos` are other living ones with that reference, which should never exist. */
export type FoundCfdi = CfdiPac & { repetidos: CfdiPac[] };

/** The ways in which an account hands over its list: as the current documentation says (POST), or as older material has it (GET). */
export const MODOS_DE_LISTA = ['post', 'get'] as const;
export type ModoDeLista = (typeof MODOS_DE_LISTA)[number];

export type ReaderOptions = ConnectionOptions & {
  /** The way in which this account handed over its list before, and the callback that keeps another way. */
  lista?: { modo: ModoDeLista | undefined; learn(modo: ModoDeLista): Promise<void> };
};

export type EstadoCancelacion = { estado: string; esCancelable: string; estatusCancelacion: string };

const MAX_PAGES = 300;
const PER_PAGE = 100;
const NOT_FOUND = /no (?:se )?(?:existe|encontr)|sin resultados|not found/i;

/** Makes the reading client of an account. */
export function createFacturacomReader(credentials: Credentials, options: ReaderOptions = {}) {
  const connection = createConnection(credentials, options);
  let modo: ModoDeLista = options.lista?.modo ?? 'post';

  /**
   * The body of a success; undefined when the PAC says that there is no such thing. Its words for a missing client are not known, so any no
   * that is not about the account counts as one: the worst outcome is a second record of the same customer.
   */
  async function find(path: string, none: (no: Negative) => boolean = isAbsent): Promise<Json | undefined> {
    const answer = await reading(() => connection.get(path));
    if (answer.status === 404 && none === isNoClient) return undefined;
    const envelope = envelopeOf(answer);
    if (envelope.kind === 'success') return envelope.body;
    if (envelope.keys) throw accountRefusal(envelope.status);
    if (isTrouble(envelope.message))
      throw new Unavailable(`factura.com: ${envelope.message}`, { status: envelope.status });
    if (none(envelope)) return undefined;
    // A 404 without the vendor's own words is that of a route or a gateway.
    if (envelope.status === 404) throw new Unavailable('factura.com contestó 404', { status: 404 });
    throw refusalOf(envelope);
  }

  type Filter = { month: string; page: number; perPage: number; rfc: string | undefined };

  /**
   * A page of the list, in the way that the account is known to hand it over. After an answer of another shape the other way is tried, and
   * kept when it works.
   */
  async function listPage(filter: Filter): Promise<ListPage> {
    const asked = await askList(modo, filter);
    if (!(asked instanceof Error)) return asked;
    const other = modo === 'post' ? 'get' : 'post';
    const instead = await askList(other, filter).catch((error: unknown) => {
      if (error instanceof Unavailable || error instanceof Refused) return error;
      throw error;
    });
    if (instead instanceof Error) throw asked;
    modo = other;
    await options.lista?.learn(modo);
    return instead;
  }

  /** Asks for a page in one way. No words of a refusal mean that the list is empty: anything but the list that was asked for is a failure. */
  async function askList(by: ModoDeLista, { month, page, perPage, rfc }: Filter): Promise<ListPage | Error> {
    const filter = { year: month.slice(0, 4), month: month.slice(5, 7), ...(rfc && { rfc }) };
    const answer = await reading(() =>
      by === 'post'
        ? connection.post('/v4/cfdi/list', { ...filter, page, per_page: perPage })
        : connection.get(
            `/v4/cfdi/list?${new URLSearchParams({ ...filter, page: String(page), per_page: String(perPage) })}`,
          ),
    );
    if (isPage(answer)) return new Unavailable('factura.com contestó algo que no es JSON', { status: answer.status });
    const envelope = envelopeOf(answer);
    if (envelope.kind === 'error') {
      if (envelope.keys) throw accountRefusal(envelope.status);
      return new Unavailable(`factura.com no entregó la lista de CFDI: ${envelope.message}`, {
        status: envelope.status,
      });
    }
    const list = listPageOf(envelope.body);
    if (!list) return new UnexpectedShape('factura.com: la lista de CFDI no dice si está completa');
    if (!isOf(list, { month, page })) return new UnexpectedShape('factura.com: la lista de CFDI no es la que se pidió');
    return list;
  }

  async function get(path: string): Promise<Json> {
    const body = await find(path);
    if (!body) throw new Refused('factura.com no encontró lo que se le pidió.', { status: 404 });
    return body;
  }

  /** The rows of a month. Throws Unavailable when the account handed over fewer rows than it says it has. */
  async function* listCfdis(month: string, rfc: string | undefined): AsyncGenerator<unknown> {
    let seen = 0;
    for (let page = 1; page <= MAX_PAGES; page++) {
      const { data, last_page, total } = await listPage({ month, page, perPage: PER_PAGE, rfc });
      seen += data.length;
      yield* data;
      if (page < last_page) continue;
      if (seen < (total ?? 0)) throw new Unavailable('factura.com entregó menos CFDI de los que dice tener en el mes');
      return;
    }
    throw new UnexpectedShape(`factura.com: más de ${MAX_PAGES} páginas de CFDI en un mes`);
  }

  /** The ids that the old list has for our reference. The old list proves only what it names; its way of saying 'nothing' is not known. */
  async function namedByOldList(numOrder: string, rfc: string): Promise<string[]> {
    let body: Json | undefined;
    try {
      body = await find(`/v1/invoices/${encodeURIComponent(rfc)}`);
    } catch (error) {
      if (error instanceof Unavailable || error instanceof Refused) return [];
      throw error;
    }
    const rows = body?.data ?? body?.Data;
    if (!Array.isArray(rows)) return [];
    return rows.flatMap((row) => {
      const read = oldRowOf(row);
      return read?.numOrder === numOrder ? [read.uid] : [];
    });
  }

  async function findCfdi(path: string): Promise<CfdiPac | undefined> {
    const body = await find(path);
    return body && cfdiOf(oneOf(body));
  }

  const findByUid = (uid: string) => findCfdi(`/v4/cfdi/uid/${encodeURIComponent(uid)}`);

  async function download(uid: string, kind: 'xml' | 'pdf' | 'acuse', begins: string): Promise<Buffer> {
    const answer = await reading(() => connection.get(`/v4/cfdi40/${encodeURIComponent(uid)}/${kind}`));
    if (answer.status < 400) {
      const bytes = fileOf(answer.body, begins);
      if (bytes) return bytes;
    }
    const envelope = envelopeOf(answer);
    if (envelope.kind === 'error' && envelope.keys) throw accountRefusal(answer.status);
    // Files are asked for only of CFDI that exist, so a no means 'not yet'.
    throw new Unavailable(
      `factura.com no entregó el ${kind.toUpperCase()} del CFDI${envelope.kind === 'error' ? `: ${envelope.message}` : ''}`,
      { status: answer.status },
    );
  }

  return {
    /** The company of the keys; the cheapest check that the keys work. */
    async account(): Promise<CuentaPac> {
      return cuentaOf(oneOf(await get('/v1/current/account')));
    },

    /** The clients of an RFC; several legal names are normal. */
    async clientsByRfc(rfc: string): Promise<ClientePac[]> {
      const body = await find(`/v1/clients/rfc/${encodeURIComponent(rfc)}`, isNoClient);
      return body ? manyOf(body).map(clienteOf) : [];
    },

    async clientByUid(uid: string): Promise<ClientePac | undefined> {
      const body = await find(`/v1/clients/${encodeURIComponent(uid)}`, isNoClient);
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

    /** Asks for the smallest list and returns the way in which this account hands it over. */
    async learnList(month: string): Promise<ModoDeLista> {
      await listPage({ month, page: 1, perPage: 1, rfc: undefined });
      return modo;
    },

    /**
     * The CFDI with our reference, or 'absent' once every page of the months it can be in was read. `fecha` is the local date of the
     * document, which is stamped within 72 hours of it. Throws Unavailable while a document with that reference has no UUID yet.
     */
    async findByNumOrder(
      numOrder: string,
      { rfc, fecha }: { rfc: string; fecha: string },
    ): Promise<FoundCfdi | 'absent'> {
      const found = new Map<string, CfdiPac>();
      let unfinished = false;
      // Ñ and & have several encodings in a filter, so months of such an RFC are read whole.
      const filter = /^[A-Z0-9]+$/.test(rfc) ? rfc : undefined;
      for (const month of monthsAround(fecha)) {
        for await (const body of listCfdis(month, filter)) {
          const row = rowOf(body);
          if (row.numOrder !== numOrder) continue;
          if (row.cfdi) found.set(row.cfdi.uid, row.cfdi);
          else unfinished = true;
        }
      }
      if (found.size === 0) {
        for (const uid of await namedByOldList(numOrder, rfc)) {
          const cfdi = await findByUid(uid);
          if (cfdi) found.set(uid, cfdi);
          else unfinished = true;
        }
      }
      // The document may still be getting its stamp.
      if (found.size === 0 && unfinished) throw new Unavailable(`factura.com tiene la orden ${numOrder} sin UUID`);
      const [first, ...others] = [...found.values()].sort((a, b) => Number(a.cancelada) - Number(b.cancelada));
      return first ? { ...first, repetidos: others.filter((cfdi) => !cfdi.cancelada) } : 'absent';
    },

    /** The CFDI stamped in a month ('YYYY-MM'), page by page; of one receiver, or of all. */
    async *cfdisOfMonth(month: string, rfc?: string): AsyncGenerator<CfdiPac> {
      for await (const row of listCfdis(month, rfc)) {
        const { cfdi } = rowOf(row);
        if (cfdi) yield cfdi;
      }
    },

    findByUid,
    findByUuid: (uuid: string) => findCfdi(`/v4/cfdi/uuid/${encodeURIComponent(uuid)}`),

    /** The bytes of the stamped XML, unchanged. */
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

const KeyName = z.object({ key: z.coerce.string(), name: z.string() });
/** An empty EstatusCancelacion comes as an empty list. */
const CancelStatus = z.object({
  Estado: z.string(),
  EsCancelable: z.string(),
  EstatusCancelacion: z.union([z.string(), z.array(z.unknown())]),
});

/** Whether an answer is a page instead of JSON, from a server that was reached and does not ask for patience or keys. */
const isPage = ({ status, body }: HttpAnswer) =>
  status < 500 &&
  ![401, 403, 429].includes(status) &&
  readEnvelope(status, body.toString('utf8')).kind === 'unreadable';

const isNoClient = (no: Negative) => !isAccount(no);

/** Whether a list is the one that was asked for: its page number, and the month of at least one row, give or take a day. */
function isOf({ current_page, data }: ListPage, { month, page }: { month: string; page: number }): boolean {
  if ((current_page ?? page) !== page) return false;
  const days = data
    .map((row) => (isJson(row) ? row.FechaTimbrado : undefined))
    .filter((day) => typeof day === 'string');
  const dated = days.filter((day) => /^\d{4}-\d{2}-\d{2}/.test(day)).map((day) => day.slice(0, 10));
  return dated.length === 0 || dated.some((day) => [-1, 0, 1].some((days) => addDays(day, days).startsWith(month)));
}

const isAbsent = ({ status, body, message }: Negative) => (status === 404 ? saysError(body) : NOT_FOUND.test(message));

/** The months in which a CFDI of that date may have been stamped. */
function monthsAround(fecha: string): string[] {
  const day = fecha.slice(0, 10);
  return [...new Set([-1, 0, 4].map((days) => addDays(day, days).slice(0, 7)))];
}

/** The bytes of a file: raw, or in `{"data": "<base64>"}` as some notes have it. Undefined when the body is no such file. */
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

/** Runs a read. An uncertain outcome of a read is Unavailable, since nothing was done. */
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

/** The wait that a Retry-After asks for, in milliseconds, one hour at most. */
export function retryAfterOf(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3_600) * 1_000 : undefined;
}
