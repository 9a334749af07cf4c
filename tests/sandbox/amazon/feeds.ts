import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { bodyOf, json, type Handler, type SandboxRequest, type SandboxResponse } from '../service';
import { invalid, no, unsigned, zulu, type Operations, type World } from './answers';
import { MARKETPLACE_ID, MINUTE, SECOND, SELLER_ID } from './constants';
import type { Listings } from './listings';
import type { Issue, Parches } from './publicacion';

export const FEEDS = '/amazon-cambios';
const TYPE = 'JSON_LISTINGS_FEED';
const ROOT = '/feeds/2021-06-30';
const MAX_MESSAGES = 25_000;

type Place = { contentType: string; until: number; bytes: Buffer | null };
type Status = 'IN_QUEUE' | 'IN_PROGRESS' | 'DONE' | 'CANCELLED' | 'FATAL';
type Feed = { id: string; created: number; input: string; status: Status; result: string | null; worked: boolean };
type Message = { messageId?: number; sku?: string; operationType?: string; productType?: string; patches?: Parches };
type Told = {
  messageId?: number;
  sku?: string;
  code: string;
  severity: Issue['severity'];
  message: string;
  attributeName?: string;
};

/** Feeds 2021-06-30: a file of changes is left at a signed place, taken in, worked on a while later, and its result tells each message. */
export class Feeds {
  readonly #places = new Map<string, Place>();
  readonly #feeds = new Map<string, Feed>();
  readonly mensajes: number[] = [];
  #retraso = 20 * SECOND;

  constructor(readonly options: Pick<World, 'now' | 'interruptores' | 'baseUrl'> & { listings: Listings }) {}

  reset() {
    this.#places.clear();
    this.#feeds.clear();
    this.mensajes.length = 0;
    this.#retraso = 20 * SECOND;
  }

  get operations(): Operations {
    const known = (work: (feed: Feed) => SandboxResponse) => (request: SandboxRequest) => {
      const feed = this.#feeds.get(request.params.id!);
      return feed ? work(feed) : no(404, 'NotFound', 'The feed was not found.');
    };
    return {
      [`POST ${ROOT}/documents`]: ['createFeedDocument', (request) => this.#document(request)],
      [`GET ${ROOT}/documents/*`]: ['getFeedDocument', (request) => this.#result(request.params.rest!)],
      [`POST ${ROOT}/feeds`]: ['createFeed', (request) => this.#create(request)],
      [`GET ${ROOT}/feeds`]: ['getFeeds', (request) => this.#list(request)],
      [`GET ${ROOT}/feeds/:id`]: ['getFeed', known((feed) => json(200, this.#shown(feed)))],
      [`DELETE ${ROOT}/feeds/:id`]: ['cancelFeed', known((feed) => this.#cancel(feed))],
    };
  }

  #place(contentType: string, bytes: Buffer | null): [id: string, url: string] {
    const id = `amzn1.tortuga.4.na.${randomUUID()}.T${this.#places.size}`;
    this.#places.set(id, { contentType, until: this.options.now() + 5 * MINUTE, bytes });
    return [id, `${this.options.baseUrl()}${FEEDS}/${encodeURIComponent(id)}`];
  }

  /** Answers at the signed address of a file, which takes no token, wants the type that was announced, and dies after five minutes. */
  store(request: SandboxRequest): SandboxResponse {
    const place = this.#places.get(decodeURIComponent(request.path.slice(1)));
    if (!place || place.until < this.options.now()) return unsigned('AccessDenied', 'Denied');
    if (request.method === 'GET' && place.bytes)
      return { status: 200, headers: { 'content-type': 'application/json' }, body: place.bytes };
    if (request.method !== 'PUT' || place.contentType !== request.headers['content-type'])
      return unsigned('SignatureDoesNotMatch', 'Denied');
    place.bytes = request.body;
    return { status: 200, body: '' };
  }

  #document(request: SandboxRequest): SandboxResponse {
    const { contentType } = bodyOf(request) as { contentType?: string };
    if (!contentType) return invalid('contentType is required.');
    const [feedDocumentId, url] = this.#place(contentType, null);
    return json(201, { feedDocumentId, url });
  }

  #create(request: SandboxRequest): SandboxResponse {
    const { feedType, marketplaceIds, inputFeedDocumentId } = bodyOf(request) as {
      feedType?: string;
      marketplaceIds?: string[];
      inputFeedDocumentId?: string;
    };
    if (marketplaceIds?.[0] !== MARKETPLACE_ID || !this.#places.get(inputFeedDocumentId ?? '')?.bytes)
      return invalid('inputFeedDocumentId is invalid.');
    const id = String(60_000_000_000 + this.#feeds.size);
    const feed: Feed = {
      id,
      created: this.options.now(),
      input: inputFeedDocumentId!,
      status: 'IN_QUEUE',
      result: null,
      worked: false,
    };
    // A retired kind is taken in and ends in a failure.
    if (feedType !== TYPE) Object.assign(feed, { status: 'FATAL', worked: true });
    this.#feeds.set(id, feed);
    return json(202, { feedId: id });
  }

  /** Works on the files that have waited long enough. */
  work(): void {
    const { now, interruptores } = this.options;
    for (const feed of this.#feeds.values()) {
      if (feed.worked || interruptores.is('archivo', 'enCola')) continue;
      const age = now() - feed.created;
      if (age >= this.#retraso) this.#end(feed);
      else if (age >= this.#retraso / 2) feed.status = 'IN_PROGRESS';
    }
  }

  #end(feed: Feed): void {
    const { interruptores } = this.options;
    feed.worked = true;
    if (interruptores.is('archivo', 'cancelado')) {
      feed.status = 'CANCELLED';
      return;
    }
    const text = this.#places.get(feed.input)?.bytes?.toString('utf8') ?? '';
    let parsed: { header?: { sellerId?: string; version?: string }; messages?: Message[] } = {};
    try {
      parsed = JSON.parse(text) as typeof parsed;
    } catch {
      // A document that is no JSON is refused below.
    }
    const { header, messages = [] } = parsed;
    const ids = messages.map(({ messageId }) => messageId);
    const sound =
      header?.sellerId === SELLER_ID &&
      header.version === '2.0' &&
      messages.length > 0 &&
      messages.length <= MAX_MESSAGES &&
      new Set(ids).size === ids.length &&
      ids.every((id) => Number.isInteger(id) && id! >= 1);
    if (!sound) {
      feed.status = 'FATAL';
      feed.result = this.#told(feed, messages.length, [
        { code: '4000000', severity: 'ERROR', message: 'El documento no es válido.' },
      ]);
      return;
    }
    const half = interruptores.is('archivo', 'fatal');
    const done = half ? messages.slice(0, Math.ceil(messages.length / 2)) : messages;
    this.mensajes.push(messages.length);
    const issues = done.flatMap((message): Told[] => this.#message(message));
    feed.status = half ? 'FATAL' : 'DONE';
    if (!half && interruptores.is('resultadoDeArchivo', 'llega')) feed.result = this.#told(feed, done.length, issues);
  }

  #message({ messageId, sku, operationType, productType, patches }: Message): Told[] {
    if (operationType !== 'PATCH' || !sku || !productType || !patches)
      return [{ messageId, sku, code: '4000001', severity: 'ERROR', message: 'El mensaje no es válido.' }];
    return this.options.listings
      .change(sku, productType, patches)
      .issues.flatMap(({ code, severity, message, attributeNames = [] }) =>
        attributeNames.map((attributeName) => ({ messageId, sku, code, severity, message, attributeName })),
      );
  }

  #told(feed: Feed, processed: number, issues: Told[]): string {
    const invalid = new Set(issues.map(({ messageId }) => messageId)).size;
    const text = JSON.stringify({
      header: { sellerId: SELLER_ID, version: '2.0', feedId: feed.id },
      issues,
      summary: {
        errors: issues.length,
        warnings: 0,
        messagesProcessed: processed,
        messagesAccepted: processed - invalid,
        messagesInvalid: invalid,
      },
    });
    const packed = this.options.interruptores.is('empaque', 'gzip');
    return this.#place('application/json', packed ? gzipSync(text) : Buffer.from(text))[0];
  }

  readonly #shown = ({ id, created, status, result }: Feed) => ({
    feedId: id,
    feedType: TYPE,
    marketplaceIds: [MARKETPLACE_ID],
    createdTime: zulu(created),
    processingStatus: status,
    ...(result && { resultFeedDocumentId: result }),
  });

  #list(request: SandboxRequest): SandboxResponse {
    const asked = request.url.searchParams;
    if (asked.get('feedTypes') !== TYPE) return invalid('feedTypes is required.');
    const since = Date.parse(asked.get('createdSince') ?? '') || 0;
    const feeds = [...this.#feeds.values()].filter(({ created }) => created >= since).reverse();
    return json(200, { feeds: feeds.slice(0, Number(asked.get('pageSize') ?? 10)).map(this.#shown) });
  }

  #cancel(feed: Feed): SandboxResponse {
    if (feed.status !== 'IN_QUEUE') return invalid('Only a feed in queue can be cancelled.');
    Object.assign(feed, { status: 'CANCELLED', worked: true });
    return { status: 200, body: '' };
  }

  #result(id: string): SandboxResponse {
    const place = this.#places.get(decodeURIComponent(id));
    if (!place?.bytes) return no(404, 'NotFound', 'The document was not found.');
    place.until = this.options.now() + 5 * MINUTE;
    const packed = place.bytes[0] === 0x1f && place.bytes[1] === 0x8b;
    return json(200, {
      feedDocumentId: decodeURIComponent(id),
      url: `${this.options.baseUrl()}${FEEDS}/${id}`,
      ...(packed && { compressionAlgorithm: 'GZIP' }),
    });
  }

  readonly control: Record<string, Handler> = {
    'GET /archivos': () => json(200, { archivos: [...this.#feeds.values()].map(this.#shown), mensajes: this.mensajes }),
    'POST /archivos': (request) => {
      this.#retraso = Number(bodyOf(request).retraso ?? this.#retraso);
      return json(200, { retraso: this.#retraso });
    },
  };
}
