/** The sandbox of outside APIs as tests see it: plain HTTP to its address, whichever process it lives in and whoever runs the test. */

export interface StampedCfdi {
  NumOrder: string;
  UUID: string;
  uid: string;
  RFC: string;
  total: string;
  type: 'I' | 'E';
  tipoDocumento: string;
  serie: string;
  folio: number;
  estado: 'vigente' | 'cancelando' | 'cancelada';
  createdAt: string;
  relacionados: { tipo: string; uuids: string[] }[];
}

export interface ReceivedMail {
  id: string;
  from: string;
  to: string[];
  cc: string[];
  subject: string;
  text: string;
  html?: string;
  at: string;
  attachments: { filename: string; type: string; size: number }[];
}

export interface SeenRequest {
  api: string;
  method: string;
  path: string;
  status: number;
  at: string;
  ms: number;
  fault?: string;
}

export interface FailOptions {
  times?: number;
  route?: string;
  ms?: number;
  message?: unknown;
  code?: string;
  /** Only a request whose body has this text: what others ask for at the same time passes. */
  contains?: string;
}

export type SandboxClient = ReturnType<typeof createSandboxClient>;

export function createSandboxClient(url: string) {
  async function call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Response> {
    const response = await fetch(url + path, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok)
      throw new Error(`sandbox: ${method} ${path} answered ${response.status} ${await response.text()}`);
    return response;
  }
  const get = async <T>(path: string) => (await (await call('GET', path)).json()) as T;
  const post = async <T>(path: string, body: unknown) => (await (await call('POST', path, body)).json()) as T;
  const failNext =
    (api: string) =>
    (mode: string, options: FailOptions = {}) =>
      post<{ ok: true }>('/control/fail', { api, mode, ...options });

  return {
    url,
    facturacom: {
      /** Hits the create unless `route` says otherwise. */
      failNext: failNext('facturacom'),
      stamped: (numOrder?: string) =>
        get<StampedCfdi[]>(
          `/control/facturacom/cfdi${numOrder === undefined ? '' : `?NumOrder=${encodeURIComponent(numOrder)}`}`,
        ),
      xml: async (uuid: string) => (await call('GET', `/control/facturacom/cfdi/${uuid}.xml`)).text(),
      keys: () => get<{ plugin: string; apiKey: string; secretKey: string }>('/control/facturacom/llaves'),
      cancelMode: (mode: 'at-once' | 'in-process' | 'reject') => post('/control/facturacom/cancel', { mode }),
      settleCancel: (uuid: string, result: 'accepted' | 'rejected' | 'expired') =>
        post('/control/facturacom/cancel/settle', { uuid, result }),
      /** The SAT's status goes on saying this of a CFDI, '' for nothing at all; null, it says the truth again. */
      satDice: (uuid: string, dice: string | null) => post('/control/facturacom/cancel/status', { uuid, dice }),
      addContribuyente: (contribuyente: { rfc: string; nombre: string; cp: string; regimenes: string[] }) =>
        post('/control/facturacom/contribuyentes', contribuyente),
      aceptaTodo: (on: boolean) => post('/control/facturacom/acepta-todo', { on }),
      /** How the account speaks where no source says it; without a word, as on the first day. */
      forma: (forma: Record<string, string | boolean> = {}) => post('/control/facturacom/forma', forma),
      /** A PAC that does not recognise an order number it has stamped before. */
      admiteRepetidos: (on: boolean) => post('/control/facturacom/admite-repetidos', { on }),
    },
    mercadolibre: {
      failNext: failNext('mercadolibre'),
      newOrden: <T = Record<string, unknown>>(scenario?: string, options: Record<string, unknown> = {}) =>
        post<T>('/control/mercadolibre/ordenes', { scenario, ...options }),
      get: <T>(path: string) => get<T>(`/control/mercadolibre${path}`),
      post: <T>(path: string, body: unknown) => post<T>(`/control/mercadolibre${path}`, body),
    },
    correo: {
      failNext: failNext('correo'),
      /** Newest first. */
      inbox: (filter: { to?: string; subject?: string } = {}) =>
        get<ReceivedMail[]>(`/control/correo?${new URLSearchParams(filter).toString()}`),
      read: (id: string) => get<ReceivedMail>(`/control/correo/${id}`),
      /** The letter as it came over the wire. */
      raw: async (id: string) => (await call('GET', `/control/correo/${id}/eml`)).text(),
      attachment: async (id: string, n: number) =>
        Buffer.from(await (await call('GET', `/control/correo/${id}/adjunto/${n}`)).arrayBuffer()),
    },
    sat: {
      failNext: failNext('sat'),
      addCedula: (cedula: Record<string, unknown>) => post('/control/sat/cedulas', cedula),
      /** How its page is written where no source says it; without a word, as on the first day. */
      forma: (forma: Record<string, string | boolean> = {}) => post('/control/sat/forma', forma),
    },
    /** A wholesaler by its kind: its unconfirmed facts, its clock, what it was asked for. */
    proveedor: (kind: string) => ({
      failNext: failNext(kind),
      get: <T>(path: string) => get<T>(`/control/${kind}${path}`),
      post: <T>(path: string, body: unknown = {}) => post<T>(`/control/${kind}${path}`, body),
    }),
    /** Does what `held` requests of an API asked for. */
    release: (api: string) => post<{ soltadas: number }>('/control/release', { api }),
    latency: (api: string, ms: number) => post('/control/latency', { api, ms }),
    faults: () =>
      get<{ faults: { api: string; mode: string; times: number; route: string }[]; latencies: Record<string, number> }>(
        '/control/fail',
      ),
    requests: (api?: string, n = 200) => get<SeenRequest[]>(`/control/requests?n=${n}${api ? `&api=${api}` : ''}`),
    /** Drops pending faults and latencies. */
    clear: (api?: string) => post('/control/clear', { api }),
    /** As on the first day. */
    reset: (api?: string) => post('/control/reset', { api }),
  };
}
