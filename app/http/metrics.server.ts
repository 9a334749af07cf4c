import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { env } from '~/core/env.server';
import { database } from '~db/shared.server';

/** One measured thing with its values; the labels of all values have the same names. */
type Medida = { nombre: string; ayuda: string; valores: { etiquetas: Record<string, string>; valor: number }[] };

/** Prefix of what is measured here. Units stand at the end of a name, as Prometheus wants them: `_seconds`, `_total`. */
const PREFIX = 'trastienda_';
/** Of what a browser measures: milliseconds, and thousandths of layout shift. */
const VITAL_BUCKETS = [10, 25, 50, 100, 200, 250, 500, 1_000, 2_500, 4_000, 10_000];
/** From a webhook to a page that somebody gave up on, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

let kept: { registry: Registry; requests: Histogram; vitals: Histogram } | undefined;

/** The measures of this process, begun at the first call: nobody pays for them who does not ask. */
function measures() {
  if (kept) return kept;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: `${PREFIX}http_request_duration_seconds`,
    help: 'Duration of requests by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const vitals = new Histogram({
    name: `${PREFIX}web_vital`,
    help: 'What browsers measured of pages by screen and device: lcp and inp in milliseconds, cls in thousandths.',
    labelNames: ['vital', 'screen', 'device'],
    buckets: VITAL_BUCKETS,
    registers: [registry],
  });
  registry.registerMetric(
    new Gauge({
      name: `${PREFIX}db_pool_connections`,
      help: 'Connections of this process to the database, and requests that wait for one.',
      labelNames: ['state'],
      registers: [],
      collect() {
        const { pool } = database();
        this.set({ state: 'idle' }, pool.idleCount);
        this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
        this.set({ state: 'waiting' }, pool.waitingCount);
      },
    }),
  );
  return (kept = { registry, requests, vitals });
}

/** Counts a measure of a page, where metrics are asked for. */
export function measureVital(etiquetas: { vital: string; screen: string; device: string }, valor: number): void {
  if (env().METRICAS_TOKEN !== '') measures().vitals.observe(etiquetas, valor);
}

/** Measures each request. Mounted where metrics are asked for. */
export const measureRequests: RequestHandler = (req, res, next) => {
  const { requests } = measures();
  const end = requests.startTimer();
  res.once('close', () =>
    end({
      method: req.method,
      route: routeOf(String(res.locals.ruta ?? res.locals.medida), res.statusCode),
      status: String(res.statusCode),
    }),
  );
  next();
};

const ROLES = /^\/(?:sa|admin|user|aux|cont)(?=\/|$)/;
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Most routes that are told apart. */
const MOST_ROUTES = 500;
/** Routes that answered once: an address of which only refusals came may be any word. */
const served = new Set<string>();

/** Returns the route of a masked path, of which there are few: all addresses that nobody serves are one. */
export function routeOf(masked: string, status: number): string {
  const route = masked.startsWith('/assets/') ? '/assets/:archivo' : masked.replace(ROLES, '/:rol').replace(ID, ':id');
  if (served.has(route)) return route;
  if ((status >= 400 && status < 500) || served.size >= MOST_ROUTES) return ':otra';
  served.add(route);
  return route;
}

/** Returns the measures of this process and those given, as Prometheus reads them. */
export async function writeMetrics(medidas: readonly Medida[]): Promise<{ type: string; text: string }> {
  const { registry } = measures();
  const told = new Registry();
  for (const { nombre, ayuda, valores } of medidas) {
    const gauge = new Gauge({
      name: PREFIX + nombre,
      help: ayuda,
      labelNames: Object.keys(valores[0]?.etiquetas ?? {}),
      registers: [told],
    });
    for (const { etiquetas, valor } of valores) gauge.set(etiquetas, valor);
  }
  return { type: registry.contentType, text: await Registry.merge([registry, told]).metrics() };
}
