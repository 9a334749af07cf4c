import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Db } from '~db/client.server';
import { hashPassword } from '~/domain/personal/internal/passwordHash.server';
import { ROLES, type Rol } from '~/core/usuario';
import { atEndOfFile } from './endOfFile';
import { builtOnce, ON_A_LEASH } from './processes/built';

export const PASSWORD = 'Trastienda#1';

export type LogLine = { level: string; message: string } & Record<string, unknown>;
export type Sent = {
  method?: string;
  headers?: Record<string, string>;
  body?: string | URLSearchParams;
  cookie?: string;
  signal?: AbortSignal;
};

/** Whatever a file started ends with it, also what a hook that ran out of time was still waiting for. */
const children = new Set<ChildProcess>();
atEndOfFile(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

/** The product's web process, as production runs it, over this file's database. */
export class Web {
  readonly lines: LogLine[] = [];
  base = '';

  private constructor(private readonly child: ChildProcess) {}

  /** `root` holds the commands and the builds; the project's own unless named. */
  static async start(
    env: Record<string, string> = {},
    root = fileURLToPath(new URL('../../', import.meta.url)),
  ): Promise<Web> {
    await builtOnce('web');
    const child = spawn(process.execPath, [...ON_A_LEASH, '--enable-source-maps', join(root, 'bin/web.mjs')], {
      env: { ...process.env, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0', CIERRE_ESPERA: '0', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin!.on('error', () => {});
    children.add(child);
    const web = new Web(child);
    const listening = new Promise<number>((resolve, reject) => {
      createInterface({ input: child.stdout! }).on('line', (text) => {
        const line = JSON.parse(text) as LogLine;
        web.lines.push(line);
        if (line.message === 'web en marcha') resolve(Number(line.port));
      });
      child.once('exit', () => reject(new Error(`the web did not start: ${JSON.stringify(web.lines)}`)));
    });
    web.base = `http://127.0.0.1:${await listening}`;
    return web;
  }

  /** Like a browser: a POST says where it comes from; redirects are shown and not followed. */
  fetch(path: string, { method = 'GET', headers = {}, body, cookie, signal }: Sent = {}): Promise<Response> {
    const origin: Record<string, string> = method === 'GET' || method === 'HEAD' ? {} : { Origin: this.base };
    return fetch(this.base + path, {
      method,
      body,
      redirect: 'manual',
      signal,
      headers: { ...origin, ...(cookie ? { Cookie: cookie } : {}), ...headers },
    });
  }

  post(path: string, fields: Record<string, string>, sent: Sent = {}): Promise<Response> {
    return this.fetch(path, { method: 'POST', body: new URLSearchParams(fields), ...sent });
  }

  login(usuario: string, fields: Record<string, string> = {}): Promise<Response> {
    return this.post('/login', { intent: 'entrar', usuario, password: PASSWORD, recordar: 'on', ...fields });
  }

  /** The cookie of a fresh session. */
  async session(usuario: string): Promise<string> {
    return cookieOf(await this.login(usuario));
  }

  /** What no client would send: the bytes of a request as they are. The status of the answer, and its text. */
  raw(head: string[], body = ''): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(this.base).port), '127.0.0.1', () =>
        socket.write(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`),
      );
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      socket.on('error', reject).on('close', () => resolve({ status: Number(text.split(' ')[1]), text }));
    });
  }

  /** Ends the process and says with which code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode;
    const exit = once(this.child, 'exit');
    this.child.kill(signal);
    const [code] = (await exit) as [number | null];
    return code;
  }
}

export function cookieOf(response: Response, name = 'sesion'): string {
  const cookie = response.headers.getSetCookie().find((one) => one.replace(/^__Host-/, '').startsWith(`${name}=`));
  if (!cookie) throw new Error(`no cookie ${name} in an answer ${response.status}`);
  return cookie.split(';')[0]!;
}

/** One user of each role, named like it. */
export async function buildUsuarios(db: Db): Promise<Record<Rol, string>> {
  const passwordHash = await hashPassword(PASSWORD);
  const rows = await db
    .insertInto('usuario')
    .values(
      ROLES.map((rol) => ({
        usuario: rol,
        nombre: `Nombre ${rol}`,
        apellidos: 'De Prueba',
        email: `${rol}@ejemplo.mx`,
        rol,
        passwordHash,
      })),
    )
    .returning(['id', 'rol'])
    .execute();
  return Object.fromEntries(rows.map(({ rol, id }) => [rol, id])) as Record<Rol, string>;
}
