/** One HTTP server for all services. A request is remembered, delayed and perhaps made to fail before its service answers it. */
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { hangTime, sleep, type Faults } from './faults';
import { routed } from './routes';
import {
  html,
  json,
  type Fault,
  type Handler,
  type SandboxRequest,
  type SandboxResponse,
  type Service,
} from './service';

export interface SeenRequest {
  api: string;
  method: string;
  path: string;
  /** The status of the answer; 0 when none was sent. */
  status: number;
  at: string;
  ms: number;
  fault?: string;
}

export class RequestLog {
  private seen: SeenRequest[] = [];
  constructor(private readonly limit = 6_000) {}

  add(request: SeenRequest) {
    this.seen.push(request);
    if (this.seen.length > this.limit * 2) this.seen = this.seen.slice(-this.limit);
  }

  last(count: number, api?: string): SeenRequest[] {
    const own = api ? this.seen.filter((request) => request.api === api) : this.seen;
    return own.slice(-Math.min(count, this.limit));
  }

  clear(api?: string) {
    this.seen = api ? this.seen.filter((request) => request.api !== api) : [];
  }
}

const BODY_LIMIT = 20 * 1024 * 1024;

export function createServer(
  services: Service[],
  own: Record<string, Handler>,
  faults: Faults,
  log: RequestLog,
): Server {
  const prefixes = services
    .flatMap((service) => service.prefixes.map((prefix) => ({ prefix, service })))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  const ownPages = routed(own, unknownRoute);
  const controls = new Map(services.map((service) => [service.name, routed(service.control ?? {}, unknownRoute)]));

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse) {
    const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? 'sandbox'}`);
    const body = await readBody(incoming);
    const controlled = /^\/control\/([^/]+)(\/.*)?$/.exec(url.pathname);
    const control = controlled && controls.get(controlled[1] ?? '');
    if (control) return send(outgoing, await control(requestOf(incoming, url, `/control/${controlled[1]}`, body)));
    const mounted = prefixes.find(({ prefix }) => url.pathname === prefix || url.pathname.startsWith(`${prefix}/`));
    if (!mounted) return send(outgoing, await ownPages(requestOf(incoming, url, '', body)));
    await serve(mounted.service, requestOf(incoming, url, mounted.prefix, body), incoming, outgoing);
  }

  async function serve(service: Service, request: SandboxRequest, incoming: IncomingMessage, outgoing: ServerResponse) {
    const begun = Date.now();
    const seen: SeenRequest = {
      api: service.name,
      method: request.method,
      path: request.url.pathname + request.url.search,
      status: 0,
      at: new Date(begun).toISOString(),
      ms: 0,
    };
    log.add(seen);
    const latency = faults.latencyOf(service.name);
    if (latency > 0) await sleep(latency);
    const fault = faults.take(service.name, request.route, { body: request.body });
    seen.fault = fault?.mode;
    const response = fault
      ? await fail(service, request, { fault, faults }, incoming, outgoing)
      : await service.handle(request);
    if (response) {
      seen.status = response.status;
      send(outgoing, response);
    }
    seen.ms = Date.now() - begun;
  }

  return createHttpServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      console.error('sandbox:', incoming.method, incoming.url, error);
      if (!outgoing.headersSent) send(outgoing, json(500, { error: 'sandbox', message: String(error) }));
      else outgoing.destroy();
    });
  });
}

const MANTENIMIENTO =
  '<!DOCTYPE html><html><head><title>Portal</title></head><body><h1>Servicio en mantenimiento</h1></body></html>';

/** Returns the answer that a fault gives; undefined when the fault closed the connection itself. */
async function fail(
  service: Service,
  request: SandboxRequest,
  { fault, faults }: { fault: Fault; faults: Faults },
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) {
  const failure = (status: 429 | 500 | 503) => service.failure?.(status, request) ?? plainFailure(status);
  switch (fault.mode) {
    case 'refuse':
      return (
        service.refusal?.(fault, request) ??
        json(400, { error: fault.code ?? 'bad_request', message: fault.message ?? 'Solicitud rechazada' })
      );
    case '429': {
      const limited = failure(429);
      if (fault.code === 'sinRetryAfter') return limited;
      return {
        ...limited,
        headers: { ...limited.headers, 'retry-after': String(Math.ceil((fault.ms ?? 1_000) / 1_000)) },
      };
    }
    case '503':
      return failure(503);
    case 'mantenimiento':
      return html(503, MANTENIMIENTO);
    case 'reset':
      return void incoming.socket.resetAndDestroy();
    case 'hang':
      await sleep(hangTime(fault));
      return void incoming.socket.destroy();
    case 'slow':
      await sleep(fault.ms ?? 3_000);
      return service.handle(request);
    case 'held':
      await faults.hold(service.name);
      return service.handle(request);
  }
  const done = await service.handle(request);
  switch (fault.mode) {
    case 'hang-after-doing':
      await sleep(hangTime(fault));
      return void incoming.socket.destroy();
    case 'reset-after-doing':
      return void incoming.socket.resetAndDestroy();
    case '500-after-doing':
      return failure(500);
    case 'half-answer':
      return void sendHalf(outgoing, done);
    case 'html':
      return html(Number(fault.code ?? 200), MANTENIMIENTO);
  }
  return service.modes?.[fault.mode]?.(done, fault, request) ?? done;
}

function plainFailure(status: 429 | 500 | 503): SandboxResponse {
  if (status === 429) return json(429, { message: 'Too Many Attempts.' });
  const title = status === 503 ? '503 Service Temporarily Unavailable' : '500 Internal Server Error';
  return html(
    status,
    `<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center><hr><center>nginx</center></body></html>`,
  );
}

function send(outgoing: ServerResponse, { status, headers, body }: SandboxResponse) {
  const bytes = Buffer.from(body ?? '');
  // Node itself would write the time of the machine, and the outside has a clock of its own.
  const date = new Date().toUTCString();
  outgoing.writeHead(status, { date, ...headers, 'content-length': bytes.length });
  outgoing.end(bytes);
}

function sendHalf(outgoing: ServerResponse, { status, headers, body }: SandboxResponse) {
  const bytes = Buffer.from(body ?? '');
  outgoing.writeHead(status, { ...headers, 'content-length': bytes.length });
  outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => void setTimeout(() => outgoing.destroy(), 20));
}

const unknownRoute: Handler = ({ method, url }) =>
  json(404, { error: 'not_found', message: `La sandbox no conoce ${method} ${url.pathname}` });

function requestOf(incoming: IncomingMessage, url: URL, prefix: string, body: Buffer): SandboxRequest {
  const method = incoming.method ?? 'GET';
  const path = url.pathname.slice(prefix.length) || '/';
  const type = incoming.headers['content-type'] ?? '';
  return {
    method,
    prefix,
    path,
    url,
    body,
    params: {},
    route: `${method} ${path}`,
    headers: incoming.headers,
    data: () =>
      type.startsWith('application/x-www-form-urlencoded')
        ? Object.fromEntries(new URLSearchParams(body.toString('utf8')))
        : parseJson(body),
  };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of incoming as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > BODY_LIMIT) throw new Error(`more than ${BODY_LIMIT} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
