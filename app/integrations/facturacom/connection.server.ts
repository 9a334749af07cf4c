import { exchange, type HttpAnswer, type Trace } from '../http.server';

/** The public constant that every integrator sends. */
const PLUGIN = '9d4095c8f7ed5785cb14c0e3b033eeb8252416ed';

export type Credentials = {
  /** 'https://api.factura.com', or 'https://sandbox.factura.com/api'. */
  baseUrl: string;
  apiKey: string;
  secret: string;
  plugin?: string;
};

export type ConnectionOptions = {
  trace?: Trace;
  /** Time limit of a stamp, which factura.com makes while the caller waits. */
  stampTimeoutMs?: number;
  timeoutMs?: number;
};

export type Connection = {
  get(path: string): Promise<HttpAnswer>;
  post(path: string, body: unknown, timeoutMs?: number): Promise<HttpAnswer>;
};

/** The wire to factura.com: headers, time limits, and traces without keys. Throws as `exchange`. */
export function createConnection(credentials: Credentials, options: ConnectionOptions): Connection {
  const { baseUrl, apiKey, secret, plugin = PLUGIN } = credentials;
  const { timeoutMs = 30_000 } = options;
  const headers = { 'F-PLUGIN': plugin, 'F-Api-Key': apiKey, 'F-Secret-Key': secret, Accept: 'application/json' };
  const redact = redactorOf([apiKey, secret]);
  const trace: Trace | undefined =
    options.trace &&
    ((seen) =>
      options.trace?.({ ...seen, requestBody: redact(seen.requestBody), responseBody: redact(seen.responseBody) }));
  const side = { name: 'facturacom', root: baseUrl };
  const url = (path: string) => `${baseUrl.replace(/\/$/, '')}${path}`;
  return {
    // A GET has no Content-Type: with one, factura.com answered 404 to another integrator.
    get: (path) => exchange({ side, method: 'GET', url: url(path), headers, timeoutMs, trace }),
    post: (path, body, ownTimeoutMs = timeoutMs) =>
      exchange({
        side,
        method: 'POST',
        url: url(path),
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        timeoutMs: ownTimeoutMs,
        trace,
      }),
  };
}

/**
 * Makes the function that takes the keys out of a body. On bad keys factura.com echoes them decoded (keys are base64 of a bcrypt string),
 * and PHP escapes slashes, so every form is replaced; the fields `Data` and `Secret` are emptied whatever they hold.
 */
export function redactorOf(keys: string[]): (text: string) => string {
  const forms = keys
    .flatMap((key) => [key, Buffer.from(key, 'base64').toString('utf8')])
    .filter((key) => key.length >= 6)
    .flatMap((key) => [key, JSON.stringify(key).slice(1, -1), JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/')]);
  return (text) => {
    const fields = /"Secret"\s*:\s*"/.test(text)
      ? text.replace(/"(Data|Secret)"\s*:\s*"(?:[^"\\]|\\.)*"/g, '"$1":"[oculto]"')
      : text;
    return forms.reduce((hidden, form) => hidden.replaceAll(form, '[oculto]'), fields);
  };
}
