/** A member of staff as a program: signs in, reads lists and acts by the calls that the mobile app uses. */
export class Cliente {
  #token = '';
  #keys = 0;
  /** Answers of 500 and above, by call. Nothing may ever give one, but for a 503 that says when to come back. */
  readonly broken: string[] = [];

  constructor(
    readonly url: string,
    readonly usuario: string,
  ) {}

  async signIn(password: string): Promise<void> {
    const { token } = await this.#json<{ token: string }>('POST', '/api/usuario/login', {
      user: this.usuario,
      password,
    });
    this.#token = token;
  }

  get<T>(path: string): Promise<T> {
    return this.#json<T>('GET', path);
  }

  /** Returns a whole list. */
  async list<T>(path: string): Promise<T[]> {
    const answer = await this.#ask('GET', path, undefined, { accept: 'application/x-ndjson' });
    const text = await answer.text();
    if (!answer.ok) throw new Refusal('GET', path, answer.status, text);
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as T);
  }

  post<T>(path: string, body: unknown, version?: number): Promise<T> {
    return this.#json<T>('POST', path, body, version);
  }

  put<T>(path: string, body: unknown, version?: number): Promise<T> {
    return this.#json<T>('PUT', path, body, version);
  }

  /** Fills in a form with one file. */
  async upload<T>(
    path: string,
    datos: Record<string, unknown>,
    { campo, nombre, contenido }: { campo: string; nombre: string; contenido: Buffer<ArrayBuffer> },
  ): Promise<T> {
    const form = new FormData();
    form.set('datos', JSON.stringify(datos));
    form.set(campo, new Blob([contenido], { type: 'image/png' }), nombre);
    const answer = await this.#ask('POST', path, form);
    const text = await answer.text();
    if (!answer.ok) throw new Refusal('POST', path, answer.status, text);
    return JSON.parse(text) as T;
  }

  async #json<T>(method: string, path: string, body?: unknown, version?: number): Promise<T> {
    const answer = await this.#ask(method, path, body, version === undefined ? {} : { 'if-match': `"v${version}"` });
    const text = await answer.text();
    if (!answer.ok) throw new Refusal(method, path, answer.status, text);
    return JSON.parse(text) as T;
  }

  async #ask(method: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(this.#token && { authorization: `Bearer ${this.#token}` }),
        ...(body !== undefined && {
          ...(!(body instanceof FormData) && { 'content-type': 'application/json' }),
          'idempotency-key': `${this.usuario}-${this.#keys++}`,
        }),
        ...headers,
      },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    if (isBroken(answer)) this.broken.push(`${method} ${path} → ${answer.status}`);
    return answer;
  }
}

/** Whether an answer is one that no call may give. */
export const isBroken = ({ status, headers }: Pick<Response, 'status' | 'headers'>) =>
  status >= 500 && !(status === 503 && headers.has('retry-after'));

/** The owner of the shop at a browser, for what no call does: to consent at a marketplace's own page. */
export class Navegador {
  #cookies = '';

  constructor(
    readonly url: string,
    readonly usuario: string,
  ) {}

  async signIn(password: string): Promise<void> {
    this.#cookies = '';
    await this.#send('POST', '/login', { intent: 'entrar', usuario: this.usuario, password, recordar: 'on' });
  }

  /** Presses 'Activar' of a connection, and 'Autorizar' where the marketplace asks. Throws where that leads nowhere. */
  async activate(conexion: string): Promise<void> {
    const consent = await this.#send('POST', `/${this.usuario}/tokens`, { intent: 'activar', conexion });
    const back = (await fetch(`${consent}&auto=1`, { redirect: 'manual' })).headers.get('location');
    if (back === null) throw new Error(`${conexion} asked for no consent at ${consent}`);
    const to = await this.#send('GET', back.replace(this.url, ''));
    if (!to.includes('activacion=')) throw new Error(`the consent of ${conexion} led to ${to}`);
  }

  /** Returns where an answer leads. */
  async #send(method: string, path: string, fields?: Record<string, string>): Promise<string> {
    const answer = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: { origin: this.url, cookie: this.#cookies },
      ...(fields && { body: new URLSearchParams(fields) }),
    });
    const cookies = answer.headers.getSetCookie().map((one) => one.split(';')[0]!);
    if (cookies.length > 0) this.#cookies = cookies.join('; ');
    const to = answer.headers.get('location');
    if (to === null) throw new Error(`${method} ${path} → ${answer.status}, and leads nowhere`);
    return to;
  }
}

/** A call that the product refused, in its words. */
export class Refusal extends Error {
  constructor(
    readonly method: string,
    readonly path: string,
    readonly status: number,
    readonly text: string,
  ) {
    super(`${method} ${path} → ${status} ${text.slice(0, 300)}`);
  }
}
