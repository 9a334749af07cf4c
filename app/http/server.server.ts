import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { constants } from 'node:zlib';
import { createRequestHandler } from '@remix-run/express';
import type { ServerBuild } from '@remix-run/node';
import compression from 'compression';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { guardBuild } from '~/access/guard.server';
import { env } from '~/core/env.server';
import { FALLO } from '~/core/errors';
import { log } from '~/core/log.server';
import { InvalidSettings } from '~/core/settingFaults';
import { startTrazas } from '~/core/trazas.server';
import { startKeepingAnswers } from '~/platform/connections/respuestas.server';
import { reviewAddresses } from '~db/addresses.server';
import type { Db } from '~db/client.server';
import { closeDatabase, database, db } from '~db/shared.server';
import { refuseAtDoor, requireAddress } from './address.server';
import { answering } from './answers.server';
import { staticFiles } from './assets.server';
import { dropRest, limitBody, requireForm, requireMethod } from './bodyLimit.server';
import { branchesOf, branchNames } from './branches.server';
import { callerAddress } from './callerAddress.server';
import { sayVersion } from './construccion.server';
import { countRequests } from './cuenta.server';
import { securityHeaders } from './headers.server';
import { leadByHeader } from './lead.server';
import { machineDoors } from './machines.server';
import { requireHost } from './host.server';
import { importMap } from './mapa.server';
import { measureRequests } from './metrics.server';
import { partingConnections, readiness, type Presence } from './ready.server';
import { identify } from './requestLog.server';
import { requireSameOrigin } from './sameOrigin.server';
import { shed } from './shed.server';
import { traceRequests } from './trazas.server';

export type ServeOptions = {
  /** Dev only: Vite's middlewares, and how to load the build again after a change. */
  dev?: { middlewares: RequestHandler; load(): Promise<ServerBuild> };
  /** 0 takes any free one; the setting PORT otherwise. */
  port?: number;
  /** Begins what runs beside the requests; it ends before the database is let go. */
  beside?(db: Db): { stop(): Promise<void> };
};

export type Running = {
  port: number;
  /** How long a signal lets balancers know before the socket closes, in ms. */
  waitMs: number;
  /** Stops. With `waitMs`, `/healthcheck/listo` says no for so long before the socket closes, so that a balancer sends nobody here any more. */
  close(waitMs?: number): Promise<void>;
};

/**
 * Compression of pages. For a list of 50 rows gzip takes 2.5 ms of processor by default; brotli takes half of that and sends 9 % less, and a gzip as
 * quick sends 11 % more. A window of 256 kB holds a page, and the encoder takes no more memory.
 */
const QUICK = {
  level: 3,
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 18 } },
};

/** How long an answer under way may take once we were asked to stop. */
const GRACE_MS = 10_000;

/** Starts the web process; resolves when it listens. `close` lets the requests under way finish, then lets go of the database. */
export async function serve(build: ServerBuild, options: ServeOptions = {}): Promise<Running> {
  const presence = { leaving: false };
  const server = createServer(
    // Slow senders: headers within 20 s, the whole request within two minutes.
    { headersTimeout: 20_000, requestTimeout: 120_000, keepAliveTimeout: 65_000, maxHeaderSize: 16_384 },
    createApp(build, presence, options.dev),
  );
  // Without a listener Node closes a CONNECT without an answer.
  server.on('connect', (_req, socket) =>
    socket.end(
      'HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD, POST\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
    ),
  );
  await requireAddresses();
  const trazas = await startTrazas('web');
  const port = await listen(server, options.port ?? env().PORT);
  log.info('web en marcha', { host: env().HOST, port });
  const answers = startKeepingAnswers(db());
  const beside = options.beside?.(db());

  let closing: Promise<void> | undefined;
  const leave = async (waitMs: number) => {
    presence.leaving = true;
    await sleep(waitMs);
    await drain(server);
    await answers.stop();
    await beside?.stop();
    await trazas.stop();
    await closeDatabase();
  };
  return { port, waitMs: env().CIERRE_ESPERA * 1_000, close: (waitMs = 0) => (closing ??= leave(waitMs)) };
}

/** A web begins without its database, and does not wait longer than this to hear of it. */
const LOOK_MS = 2_000;

/** Throws `InvalidSettings` when the addresses of the database do not fit. One that is away says nothing about them. */
async function requireAddresses(): Promise<void> {
  const looked = reviewAddresses(env()).catch((error: unknown) => {
    if (error instanceof InvalidSettings) throw error;
  });
  await Promise.race([looked, sleep(LOOK_MS, undefined, { ref: false })]);
}

function createApp(build: ServerBuild, presence: Presence, dev: ServeOptions['dev']): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', env().PROXY_HOPS);

  app.use(
    forgetUntrustedProxies,
    identify,
    dropRest,
    securityHeaders({ dev: dev !== undefined }),
    countRequests,
    ...(env().METRICAS_TOKEN ? [measureRequests] : []),
    ...(env().OTEL_EXPORTER_OTLP_ENDPOINT ? [traceRequests] : []),
    partingConnections(presence),
    readiness(presence, db),
    requireHost,
    leadByHeader,
    compression(QUICK),
  );
  // Vite's own addresses are deeper than ours may be.
  if (dev) app.use(dev.middlewares, requireAddress);
  else app.use(requireAddress, staticFiles());
  app.use(
    requireMethod,
    shed(() => database().waitedMs()),
    limitBody,
    requireForm,
    requireSameOrigin,
  );
  if (!dev) app.use(machineDoors(guardBuild(build, answering), contextOf), sayVersion(build.assets.version));
  app.use(
    dev
      ? (req, res, next) => void dev.load().then((fresh) => remix(fresh, 'development')(req, res, next), next)
      : remix(build, 'production'),
  );
  app.use(lastResort);
  return app;
}

function remix(build: ServerBuild, mode: 'development' | 'production'): RequestHandler {
  const guarded = guardBuild(build, answering);
  const personal = staffScripts(build);
  const mapa = mode === 'production' ? importMap(build.assets) : undefined;
  const getLoadContext = (req: Request, res: Response) => ({ ...contextOf(req, res), personal, mapa });
  const handlerOf = (part: ServerBuild) => createRequestHandler({ build: part, mode, getLoadContext });
  const whole = handlerOf(guarded);
  const branches = new Map([...branchesOf(guarded)].map(([name, branch]) => [name, handlerOf(branch)]));
  return (req, res, next) => {
    const name = branchNames(req.path).find((name) => branches.has(name));
    return (name === undefined ? whole : branches.get(name)!)(req, res, next);
  };
}

/** Returns the scripts that pages of the staff run first. The login page loads them ahead. */
function staffScripts({ assets: { entry, routes } }: ServerBuild): string[] {
  const lists = ['root', 'sa', 'sa/ordenes'].flatMap((id) => routes[id] ?? []);
  return [...new Set([entry, ...lists].flatMap(({ module, imports = [] }) => [module, ...imports]))];
}

const contextOf = (req: Request, res: Response) => ({
  nonce: String(res.locals.nonce),
  requestId: String(res.locals.requestId),
  ip: callerAddress(req.ip ?? ''),
  byRouter: req.path.endsWith('.data'),
  otraConstruccion: res.locals.otraConstruccion === true,
  setCookie: (cookie: string) => void res.append('Set-Cookie', cookie),
  nameCall: (path: string) => void (res.locals.ruta = path),
  comeBackIn: (seconds: string) => void res.set('Retry-After', seconds),
});

/** Drops X-Forwarded-Host without a trusted proxy in front, since Remix's adapter believes it from anyone. */
const forgetUntrustedProxies: RequestHandler = (req, _res, next) => {
  if (env().PROXY_HOPS === 0) {
    if (req.headers['x-forwarded-for'] !== undefined) warnOfProxy();
    delete req.headers['x-forwarded-host'];
  }
  next();
};

let warned = false;
/** Warns once that PROXY_HOPS is missing: behind an uncounted proxy everybody has one address and shares its quotas. */
function warnOfProxy() {
  if (!warned)
    log.warn(
      'llegan peticiones con X-Forwarded-For y PROXY_HOPS es 0: si hay un proxy delante, todos comparten su dirección y sus límites',
    );
  warned = true;
}

/** Answers failures outside Remix, such as a missing asset. */
const lastResort: ErrorRequestHandler = (error: Error & { status?: number }, _req, res, _next) => {
  // The sender was told already that the body is too long.
  if (res.locals.bodyRefused) return;
  const status = error.status ?? 500;
  if (status >= 500) log.error('fallo del servidor', error, { incidente: String(res.locals.requestId) });
  if (res.headersSent) return void res.destroy();
  const texto = status === 404 ? 'No existe.' : status < 500 ? 'No se entiende la petición.' : FALLO.texto;
  refuseAtDoor(res, status, status < 500 ? texto : `${texto} (${String(res.locals.requestId)})`);
};

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, env().HOST, () => resolve((server.address() as AddressInfo).port));
  });
}

function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    // A connection becomes idle when its answer ends, and the browser would keep it open.
    const sweep = setInterval(() => server.closeIdleConnections(), 100);
    server.close(() => {
      clearTimeout(impatience);
      clearInterval(sweep);
      resolve();
    });
  });
}
