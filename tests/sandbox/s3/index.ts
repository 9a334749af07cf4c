/**
 * A store that speaks as S3 does, by path-style addresses: objects of one bucket in memory, ListObjectsV2 by pages, refusals in XML. It checks every signature
 * itself, keeps an object only when all of it arrived, and can be told to fail.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Account, type Refusal, refusalOf } from './firma';

export interface Stored {
  body: Buffer;
  at: Date;
}

/** How a request goes wrong: a 503, a connection that is cut in the middle of a body, or an answer that takes `ms`. */
export interface S3Fault {
  mode: 'slow-down' | 'cut' | 'slow' | 'denied';
  times: number;
  /** Beginning of 'PUT partes/…'; any request without it. */
  route?: string;
  ms?: number;
}

export interface S3Options {
  bucket?: string;
  /** Most keys of one page. */
  pageSize?: number;
}

const ACCOUNT: Account = { key: 'AKIASANDBOX0000000002', secret: 'sandbox-secret-s3/+', region: 'mx-central-1' };

export class S3 {
  readonly objects = new Map<string, Stored>();
  /** Method and key of each request that came, '?list' for a page of the list. */
  readonly requests: string[] = [];
  readonly account = ACCOUNT;
  readonly bucket: string;
  pageSize: number;
  /** The clock of the store. */
  now = () => new Date();
  #faults: S3Fault[] = [];
  #server: Server;

  private constructor({ bucket = 'respaldos', pageSize = 1_000 }: S3Options) {
    this.bucket = bucket;
    this.pageSize = pageSize;
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  static async start(options: S3Options = {}): Promise<S3> {
    const s3 = new S3(options);
    await new Promise<void>((done) => s3.#server.listen(0, '127.0.0.1', done));
    return s3;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${this.bucket}`;
  }

  fail(mode: S3Fault['mode'], more: Partial<S3Fault> = {}) {
    this.#faults.push({ mode, times: 1, ...more });
  }

  heal() {
    this.#faults = [];
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise<void>((done) => this.#server.close(() => done()));
  }

  #faultOf(route: string): S3Fault | undefined {
    const fault = this.#faults.find((one) => one.times > 0 && route.startsWith(one.route ?? ''));
    if (fault) fault.times -= 1;
    return fault;
  }

  async #handle(request: IncomingMessage, response: ServerResponse) {
    const [path, query = ''] = (request.url ?? '').split('?') as [string, string?];
    const [, bucket, ...rest] = decodeURIComponent(path).split('/');
    const key = rest.join('/');
    const params = new URLSearchParams(query);
    const route = `${request.method} ${key === '' && params.has('list-type') ? '?list' : key}`;
    this.requests.push(route);
    const fault = this.#faultOf(route);
    const expected = Number(request.headers['content-length'] ?? 0);
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        size += chunk.length;
        if (fault?.mode === 'cut' && request.method === 'PUT' && size >= expected / 2) return request.socket.destroy();
      }
    } catch {
      return undefined;
    }
    if (fault?.mode === 'slow') await new Promise((done) => setTimeout(done, fault.ms ?? 1_000));
    const no = (refusal: Refusal) => this.#refuse(request, response, refusal, key);
    if (fault?.mode === 'slow-down')
      return no({ status: 503, code: 'SlowDown', message: 'Please reduce your request rate.' });
    const body = Buffer.concat(chunks);
    const refusal = refusalOf(request, body, this.account, this.now());
    if (refusal) return no(refusal);
    if (fault?.mode === 'denied') return no({ status: 403, code: 'AccessDenied', message: 'Access Denied.' });
    if (bucket !== this.bucket)
      return no({ status: 404, code: 'NoSuchBucket', message: 'The specified bucket does not exist.' });
    if (key === '' && request.method === 'GET' && params.get('list-type') === '2') return this.#list(response, params);
    if (key === '')
      return no({ status: 405, code: 'MethodNotAllowed', message: 'The specified method is not allowed.' });
    return this.#object(request, response, key, body, fault);
  }

  #object(request: IncomingMessage, response: ServerResponse, key: string, body: Buffer, fault?: S3Fault) {
    const no = (refusal: Refusal) => this.#refuse(request, response, refusal, key);
    const kept = this.objects.get(key);
    switch (request.method) {
      case 'PUT':
        if (request.headers['content-length'] === undefined)
          return no({ status: 411, code: 'MissingContentLength', message: 'You must provide the Content-Length.' });
        this.objects.set(key, { body, at: this.now() });
        return response.writeHead(200, { etag: etagOf(body) }).end();
      case 'GET':
      case 'HEAD': {
        if (!kept) return no({ status: 404, code: 'NoSuchKey', message: 'The specified key does not exist.' });
        response.writeHead(200, {
          'content-length': String(kept.body.length),
          'last-modified': kept.at.toUTCString(),
          etag: etagOf(kept.body),
        });
        if (request.method === 'HEAD') return response.end();
        if (fault?.mode !== 'cut') return response.end(kept.body);
        return response.write(kept.body.subarray(0, kept.body.length / 2), () => response.destroy());
      }
      case 'DELETE':
        this.objects.delete(key);
        return response.writeHead(204).end();
      default:
        return no({ status: 405, code: 'MethodNotAllowed', message: 'The specified method is not allowed.' });
    }
  }

  #list(response: ServerResponse, params: URLSearchParams) {
    const prefix = params.get('prefix') ?? '';
    const token = params.get('continuation-token');
    const after = token === null ? '' : Buffer.from(token, 'base64').toString('utf8');
    const most = Math.min(Number(params.get('max-keys') ?? 1_000), this.pageSize);
    // In the order of their bytes, as S3 tells them.
    const keys = [...this.objects.keys()]
      .filter((key) => key.startsWith(prefix) && Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0)
      .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const page = keys.slice(0, most);
    const contents = page.map((key) => {
      const { body, at } = this.objects.get(key)!;
      return `<Contents><Key>${xml(key)}</Key><LastModified>${at.toISOString()}</LastModified><ETag>${xml(etagOf(body))}</ETag><Size>${body.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`;
    });
    const more = keys.length > page.length;
    const next = more
      ? `<NextContinuationToken>${Buffer.from(page.at(-1)!).toString('base64')}</NextContinuationToken>`
      : '';
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(
        `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${this.bucket}</Name><Prefix>${xml(prefix)}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${most}</MaxKeys><IsTruncated>${more}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
      );
  }

  #refuse(request: IncomingMessage, response: ServerResponse, { status, code, message }: Refusal, key: string) {
    const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${xml(message)}</Message><Resource>${xml(`/${this.bucket}/${key}`)}</Resource></Error>`;
    response.writeHead(status, { 'content-type': 'application/xml' }).end(request.method === 'HEAD' ? undefined : body);
  }
}

const etagOf = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const xml = (text: string) => text.replace(/[&<>"]/g, (letter) => ENTITIES[letter]!);
