/**
 * Control routes of the sandbox: faults, latency, the requests it saw, and forgetting. Tests send JSON; the forms of the pages use the same routes.
 */
import { MODES, type Faults } from './faults';
import type { RequestLog } from './server';
import { answerOrBack, json, type Handler, type SandboxRequest, type Service } from './service';

export interface ControlOptions {
  services: Service[];
  faults: Faults;
  log: RequestLog;
  setWebhook(url: string | undefined): void;
}

export function controlRoutes({ services, faults, log, setWebhook }: ControlOptions): Record<string, Handler> {
  const serviceOf = (name: unknown) => services.find((service) => service.name === name);
  const unknownApi = (name: unknown) =>
    json(400, {
      error: 'unknown_api',
      message: `No hay un servicio '${String(name)}'`,
      apis: services.map((service) => service.name),
    });

  function fail(request: SandboxRequest) {
    const body = bodyOf(request);
    const service = serviceOf(body.api);
    if (!service) return unknownApi(body.api);
    const modes = [...MODES, ...Object.keys(service.modes ?? {})];
    const mode = String(body.mode);
    if (!modes.includes(mode)) return json(400, { error: 'unknown_mode', message: `No hay un modo '${mode}'`, modes });
    const times = numberOf(body.times) ?? 1;
    if (!Number.isInteger(times) || times < 1)
      return json(400, { error: 'bad_times', message: 'times es un entero desde 1' });
    const route = textOf(body.route) ?? service.modeRoutes?.[mode] ?? service.faultRoute ?? '';
    const fault = faults.add(
      {
        api: service.name,
        mode,
        times,
        route,
        ms: numberOf(body.ms),
        message: body.message === '' ? undefined : body.message,
        code: textOf(body.code),
        contains: textOf(body.contains),
      },
      route,
    );
    return answerOrBack(request, { ok: true, fault }, '/control');
  }

  function release(request: SandboxRequest) {
    const service = serviceOf(bodyOf(request).api);
    if (!service) return unknownApi(bodyOf(request).api);
    return answerOrBack(request, { ok: true, soltadas: faults.release(service.name) }, '/control');
  }

  function latency(request: SandboxRequest) {
    const body = bodyOf(request);
    const service = serviceOf(body.api);
    if (!service) return unknownApi(body.api);
    faults.setLatency(service.name, numberOf(body.ms) ?? 0);
    return answerOrBack(request, { ok: true, latencies: faults.allLatencies() }, '/control');
  }

  function clear(request: SandboxRequest) {
    const api = textOf(bodyOf(request).api);
    faults.clear(api);
    faults.clearLatencies(api);
    return answerOrBack(request, { ok: true }, '/control');
  }

  function reset(request: SandboxRequest) {
    const api = textOf(bodyOf(request).api);
    if (api && !serviceOf(api)) return unknownApi(api);
    for (const service of services) if (!api || service.name === api) service.reset();
    faults.clear(api);
    faults.clearLatencies(api);
    log.clear(api);
    return answerOrBack(request, { ok: true }, '/control');
  }

  const sales = () => services.flatMap((service) => [...(service.truth?.() ?? [])]);

  return {
    /** What is true of each sale, or of those since an instant in ms. */
    'GET /control/truth/sales': ({ url }) =>
      json(
        200,
        sales().filter(({ soldAt }) => soldAt >= Number(url.searchParams.get('since') ?? 0)),
      ),
    'GET /control/truth/sales/:numOrden': ({ params }) => {
      const sale = sales().find(({ numOrden }) => numOrden === params.numOrden);
      return sale ? json(200, sale) : json(404, { error: 'not_found' });
    },
    /** Each transfer to the bank, with what it is made of. */
    'GET /control/truth/deposits': () =>
      json(
        200,
        services.flatMap((service) => [...(service.deposits?.() ?? [])]),
      ),
    /** What each supplier sold, invoiced, was paid and is owed. */
    'GET /control/truth/suppliers': () =>
      json(
        200,
        services.flatMap((service) => service.account?.() ?? []),
      ),
    'POST /control/fail': fail,
    'GET /control/fail': () => json(200, { faults: faults.list(), latencies: faults.allLatencies() }),
    'POST /control/clear': clear,
    'POST /control/release': release,
    'POST /control/latency': latency,
    'POST /control/reset': reset,
    'GET /control/requests': ({ url }) =>
      json(200, log.last(Number(url.searchParams.get('n') ?? 200), url.searchParams.get('api') ?? undefined)),
    'POST /control/webhook': (request) => {
      setWebhook(textOf(bodyOf(request).url));
      return answerOrBack(request, { ok: true }, '/control');
    },
    'GET /control/services': () =>
      json(
        200,
        services.map(({ name, title, prefixes, modes, counts }) => ({
          name,
          title,
          prefixes,
          modes: [...MODES, ...Object.keys(modes ?? {})],
          counts: counts?.() ?? {},
        })),
      ),
  };
}

function bodyOf(request: SandboxRequest): Record<string, unknown> {
  const data = request.data();
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : String(value);
}

function numberOf(value: unknown): number | undefined {
  return value === undefined || value === null || value === '' || Number.isNaN(Number(value))
    ? undefined
    : Number(value);
}
