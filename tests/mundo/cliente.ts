/** A member of staff as a program: signs in, reads lists and acts by the calls that the mobile app uses. */
export class Cliente {
  #token = '';
  #keys = 0;
  /** Answers of 500 and above, by call. Nothing may ever give one. */
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
          'content-type': 'application/json',
          'idempotency-key': `${this.usuario}-${this.#keys++}`,
        }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (answer.status >= 500) this.broken.push(`${method} ${path} → ${answer.status}`);
    return answer;
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
