/**
 * A service: the impostor of one outside API, as the sandbox sees it. `createX(options: ServiceOptions): Service` builds it in a folder of its own
 * (`mercadolibre/index.ts`, `facturacom/index.ts`, `correo/index.ts`), and `start.ts` mounts it. `start.ts` owns the HTTP server, the faults, the control
 * routes, the page and the state on disk. A service only answers requests, and imports nothing of the product:
 *   handle(request)      answers every request below one of its `prefixes`. Faults and latency were applied before, so it always does its work.
 *   control              routes below /control/<name>: { 'POST /ordenes': (request) => json(200, {...}) }, written as in `routes.ts`.
 *   page()               its section of the page '/', in HTML. Its forms may POST to control routes, which answer with `answerOrBack(request, {...})`.
 *   snapshot()/restore() small state, saved as JSON soon after `options.store.changed()`. restore runs once, before the server listens.
 *   options.store.append(record) is for state that grows: one line of a journal, which `createX` reads back with `store.records()`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { DepositTruth, SaleTruth, SupplierTruth } from './truth';

export interface SandboxRequest {
  method: string;
  /** The prefix of the service that matched, '/mercadolibre'. */
  prefix: string;
  /** What follows the prefix, still encoded and without query: '/orders/search'. Always begins with '/'. */
  path: string;
  /** Method and path, 'GET /orders/search'. A fault hits a request whose `route` contains the route of the fault. */
  route: string;
  /** The whole address, with query. */
  url: URL;
  /** Values of the `:name` segments of the route that fits, decoded. */
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
  /** Requests that the fault still hits. */
  times: number;
  route: string;
  ms?: number;
  message?: unknown;
  code?: string;
  /** A text that the body of the request must hold. Other requests pass, and the fault waits. */
  contains?: string;
}

export interface Service {
  /** 'mercadolibre': the `api` of faults, latency and requests, and the folder of its control routes. */
  name: string;
  title: string;
  about: string;
  /** Beginnings of the paths that the service answers. The longest one that fits a path wins. */
  prefixes: string[];
  /** The route of a fault that names none; '' hits every request. */
  faultRoute?: string;
  /** The route of a fault that names none, for some of the service's own modes. */
  modeRoutes?: Record<string, string>;
  handle: Handler;
  control?: Record<string, Handler>;
  /** Counts for the page: { 'CFDI timbrados': 12 }. */
  counts?(): Record<string, number | string>;
  page?(): string;
  /** The answer of mode 'refuse': a definitive no after which nothing was done. */
  refusal?(fault: Fault, request: SandboxRequest): SandboxResponse;
  /** The answers 429, 503 and 500 as this API words them. A service without it gives plain ones. */
  failure?(status: 429 | 500 | 503, request: SandboxRequest): SandboxResponse;
  /** Modes that only this service has. Each takes the true answer, after the work was done, and returns the one to send. */
  modes?: Record<string, (answer: SandboxResponse, fault: Fault, request: SandboxRequest) => SandboxResponse>;
  snapshot?(): unknown;
  restore?(state: unknown): void;
  /** Every sale of a marketplace, as the marketplace itself knows it. */
  truth?(): Iterable<SaleTruth>;
  /** Every transfer of a marketplace to the bank, the oldest first. */
  deposits?(): Iterable<DepositTruth>;
  /** What a supplier sold us and is owed. */
  account?(): SupplierTruth;
  /** Puts the service back to its first day. */
  reset(): void;
  close?(): void | Promise<void>;
}

/** The part of the disk, or of the memory, that belongs to one service. */
export interface Store {
  /** Tells that the snapshot changed. The store saves it within half a second, and when it closes. */
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
  /** The address of this sandbox, 'http://127.0.0.1:3001'; empty until the server listens. */
  baseUrl(): string;
  /** The address to which notifications go. POST /control/webhook {url} changes it. */
  webhookUrl(): string | undefined;
  /** The address of the product, for links on the page. */
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

/** The answer of a control route: a form is sent back to its page, and a client that posted JSON gets JSON. */
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
/** The text, safe inside HTML and inside XML attributes. */
export function escapeText(text: unknown): string {
  return String(text ?? '').replace(/[&<>"']/g, (mark) => MARKS[mark] ?? mark);
}
