/**
 * What every impostor of an outside API looks like to the sandbox. A service is built by `createX(options: ServiceOptions): Service`
 * in its own folder (`mercadolibre/index.ts`, `facturacom/index.ts`, `correo/index.ts`), and mounted by `start.ts`, which owns the
 * HTTP server, the faults, the control routes, the page and the state on disk.
 *
 * A service only answers requests:
 *   handle(request)      every request below one of its `prefixes`; faults and latency were already applied, so it always does its work.
 *   control              routes below /control/<name>: { 'POST /ordenes': (request) => json(200, {...}) }, `:id` segments allowed.
 *   page()               its own section of the page '/' (HTML; forms may POST to its control routes, which answer with `answerOrBack(request, {...})`).
 *   snapshot()/restore() small state, saved as JSON soon after `options.store.changed()`; restore runs once, before listening.
 *   options.store.append(record) for what grows: one line of a journal; read it back in `createX` with `store.records()`.
 * It imports nothing of the product.
 */
import type { IncomingHttpHeaders } from 'node:http';

export interface SandboxRequest {
  method: string;
  /** The prefix of the service that matched, '/mercadolibre'. */
  prefix: string;
  /** What follows the prefix, still encoded and without query: '/orders/search'. Always begins with '/'. */
  path: string;
  /** 'GET /orders/search': what a fault's `route` is looked for in. */
  route: string;
  /** The whole address, with query. */
  url: URL;
  /** Values of `:name` segments, decoded; only in control routes. */
  params: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The body as JSON, or as an object when it came from an HTML form; undefined when it is neither. */
  data(): unknown;
}

export interface SandboxResponse {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export type Handler = (request: SandboxRequest) => SandboxResponse | Promise<SandboxResponse>;

export interface Fault {
  id: number;
  api: string;
  mode: string;
  /** How many requests it still hits. */
  times: number;
  route: string;
  ms?: number;
  message?: unknown;
  code?: string;
  /** Hits only a request whose body has this text: others pass, and it waits. */
  contains?: string;
}

export interface Service {
  /** 'mercadolibre': the `api` of faults, latency and requests, and the folder of its control routes. */
  name: string;
  title: string;
  about: string;
  /** The longest prefix wins; `title` is linked to the first. */
  prefixes: string[];
  /** Where a fault without `route` hits; '' is everywhere. */
  faultRoute?: string;
  /** The same for one of its own modes. */
  modeRoutes?: Record<string, string>;
  handle: Handler;
  control?: Record<string, Handler>;
  /** What the page says it holds: { 'CFDI timbrados': 12 }. */
  counts?(): Record<string, number | string>;
  page?(): string;
  /** How this API says no for the mode 'refuse' (a definitive no, nothing was done). */
  refusal?(fault: Fault, request: SandboxRequest): SandboxResponse;
  /** How this API answers 429, 503 and 500 when its shape matters; a plain one is used otherwise. */
  failure?(status: 429 | 500 | 503, request: SandboxRequest): SandboxResponse;
  /** Modes of its own: they get the true answer, after the work was done, and return what is sent instead. */
  modes?: Record<string, (answer: SandboxResponse, fault: Fault, request: SandboxRequest) => SandboxResponse>;
  snapshot?(): unknown;
  restore?(state: unknown): void;
  /** Forgets everything, as on the first day. */
  reset(): void;
  close?(): void | Promise<void>;
}

/** The corner of the disk (or of the memory) that belongs to one service. */
export interface Store {
  /** The snapshot differs: it is saved within half a second and at the end. */
  changed(): void;
  append(record: unknown): void;
  /** The journal as it was at start-up. */
  records(): unknown[];
  write(name: string, bytes: Buffer): void;
  read(name: string): Buffer | undefined;
  remove(name: string): void;
  /** Empties journal and files. */
  clear(): void;
}

export interface ServiceOptions {
  store: Store;
  /** Where this sandbox listens, 'http://127.0.0.1:3001'; known only once it listens. */
  baseUrl(): string;
  /** Where the product receives notifications; can be changed with POST /control/webhook {url}. */
  webhookUrl(): string | undefined;
  /** Where the product is, for links on the page. */
  appUrl(): string | undefined;
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): SandboxResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(body),
  };
}

export function html(status: number, body: string): SandboxResponse {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

export function redirect(location: string): SandboxResponse {
  return { status: 302, headers: { location } };
}

/** After a form: back to the page. A client that posted JSON gets the JSON instead. */
export function answerOrBack(request: SandboxRequest, body: unknown, location = '/'): SandboxResponse {
  const fromForm = String(request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
  return fromForm ? { status: 303, headers: { location } } : json(200, body);
}

/** The fields of a request's body; none when the body is no object. */
export function bodyOf(request: SandboxRequest): Record<string, unknown> {
  const data = request.data();
  return typeof data === 'object' && data !== null ? { ...data } : {};
}

/** The token that follows `Bearer` in the header of a request. */
export function bearerOf(request: SandboxRequest): string | undefined {
  return /^Bearer\s+(\S.*)$/i.exec(request.headers.authorization ?? '')?.[1];
}

const MARKS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** Text that is safe inside HTML and inside XML attributes. */
export function escapeText(text: unknown): string {
  return String(text ?? '').replace(/[&<>"']/g, (mark) => MARKS[mark] ?? mark);
}
