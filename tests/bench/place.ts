/**
 * Where everything is measured: an embedded PostgreSQL of its own with the year of data.ts, the sandbox, the web and the worker as `npm start`
 * runs them, each started when first asked for. `close` stops them and leaves nothing behind.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createUsuario } from '~/domain/personal/usuarios.server';
import { linkFacturacom } from '~/domain/facturacion/cfdi/emisor.server';
import { openDatabase, type Database, type Db } from '~db/client.server';
import { freePort, startEmbedded, type Embedded } from '~db/embedded';
import { migrateDatabase } from '~db/migrate';
import { currentBuilds } from '../../bin/lib/construido.mjs';
import { FRUGAL_ENV, programOf, WORKER_OPTIONS, sandboxAddresses, webOf, workerOf } from '../../bin/lib/settings.mjs';
import { seedCatalogo } from '../support/builders/catalogo';
import { createSandboxClient, type SandboxClient } from '../support/sandboxClient';
import { ANIO, historyOf, seedYear } from './data';

/** Somebody of the staff who may do everything. */
export const PERSON = { usuario: 'sa', password: 'Medicion#1' };

export type Web = { url: string; pid: number; cookie: string };
export type Person = { id: string };

export class Place {
  readonly folder = mkdtempSync(join(tmpdir(), 'trastienda-bench-'));
  /** What is measured stays the same, whatever is built meanwhile. */
  readonly #build = currentBuilds();
  readonly #say: (text: string) => void;
  readonly #made = new Map<string, Promise<unknown>>();
  readonly #children = new Map<string, ChildProcess>();
  #postgres: Embedded | undefined;
  #ownerUrl = '';
  #owner: Database | undefined;
  #opened: Database | undefined;
  readonly #endings: (() => Promise<void>)[] = [];
  #closed: Promise<void> | undefined;

  /** `years` of 100,000 orders each. */
  constructor(
    say: (text: string) => void,
    readonly years = 1,
  ) {
    this.#say = say;
    // PostgreSQL runs as another account when we are root, and has to reach its folder.
    chmodSync(this.folder, 0o755);
  }

  #once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const known = this.#made.get(name) as Promise<T> | undefined;
    if (known) return known;
    const making = make();
    this.#made.set(name, making);
    return making;
  }

  /** Five wholesalers with 150,000 products. */
  catalogo(): Promise<void> {
    return this.#once('catalogo', async () => seedCatalogo((await this.database()).owner, 150_000));
  }

  /** The years of data, somebody of the staff and the PAC's keys. Durable as in production. */
  database(): Promise<Database & { url: string; owner: Db; person: Person }> {
    return this.#once('database', async () => {
      const { DATABASE_URL: url } = await this.#env();
      // A load of minutes is no query of a page, and its triggers and indices are the owner's to put aside.
      const owner = (this.#owner = openDatabase(this.#ownerUrl, { max: 2, statementTimeoutMs: 1_800_000 }));
      const began = Date.now();
      await seedYear(owner.db, this.years === 1 ? ANIO : historyOf(this.years));
      this.#say(
        `${(this.years * 100_000).toLocaleString('en')} orders seeded in ${((Date.now() - began) / 1000).toFixed(1)} s`,
      );
      const database = (this.#opened = openDatabase(url, { max: 6, name: 'trastienda-bench' }));
      const person = await database.db.transaction().execute((trx) =>
        createUsuario(trx, null, {
          ...PERSON,
          rol: 'sa',
          nombre: 'Quien',
          apellidos: 'Mide',
          email: 'bench@trastienda.test',
        }),
      );
      return { ...database, url, owner: owner.db, person };
    });
  }

  sandbox(): Promise<SandboxClient> {
    return this.#once('sandbox', async () => {
      const env = await this.#env();
      this.#start('sandbox', programOf('sandbox', this.#build.node));
      await answers(`${env.SANDBOX_URL}/control/services`, 'sandbox', () => this.#tail('sandbox'));
      return createSandboxClient(env.SANDBOX_URL);
    });
  }

  web(): Promise<Web> {
    return this.#once('web', async () => {
      await this.database();
      const { APP_URL: url } = await this.#env();
      const pid = this.#start('web', webOf(this.#build.web));
      await answers(`${url}/login`, 'web', () => this.#tail('web'));
      return { url, pid, cookie: await signIn(url) };
    });
  }

  /** A web over another database of this machine, and its address. */
  async webOver(database: string): Promise<string> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    this.#start('otra', webOf(this.#build.web), { DATABASE_URL: database, PORT: String(port), APP_URL: url });
    await answers(`${url}/healthcheck/listo`, 'otra', () => this.#tail('otra'));
    return url;
  }

  /** With the PAC linked, so that it can stamp. */
  worker(): Promise<{ pid: number }> {
    return this.#once('worker', async () => {
      const { db, person } = await this.database();
      const { apiKey, secretKey } = await (await this.sandbox()).facturacom.keys();
      await linkFacturacom(db, { apiKey, secret: secretKey, usuarioId: person.id });
      const pid = this.#start('worker', workerOf(this.#build.node));
      for (const end = Date.now() + 20_000; ; await sleep(50)) {
        if (await db.selectFrom('workerHeartbeat').select('pid').executeTakeFirst()) return { pid };
        if (Date.now() > end) throw new Error(`the worker did not start\n${this.#tail('worker')}`);
      }
    });
  }

  /** The wholesalers alone with so many pieces, in a process of their own and at no pace, and where they are. */
  mayoristas(piezas: number): Promise<{ client: SandboxClient; addresses: Record<string, string> }> {
    return this.#once('mayoristas', async () => {
      await this.#env();
      const [port, smtp] = [await freePort(), await freePort()];
      const addresses = sandboxAddresses(`http://127.0.0.1:${port}`, smtp);
      const env = { SANDBOX_PORT: String(port), SANDBOX_SMTP_PORT: String(smtp), SANDBOX_PIEZAS: String(piezas) };
      this.#start('mayoristas', programOf('sandbox', this.#build.node), env);
      await answers(`${addresses.SANDBOX_URL}/control/services`, 'mayoristas', () => this.#tail('mayoristas'));
      return { client: createSandboxClient(addresses.SANDBOX_URL!), addresses };
    });
  }

  /** One run of a script of the build as the worker runs its own, to its end: what it wrote. */
  run(script: string, args: readonly string[], env: Record<string, string>): Promise<string> {
    const program = [...WORKER_OPTIONS, ...programOf(script, this.#build.node)];
    const child = spawn(process.execPath, [...program, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (said += part));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => (code === 0 ? resolve(said) : reject(new Error(`${script} ended with ${code}`))));
    });
  }

  /** What runs now, of web and worker. */
  pids(): { web?: number; worker?: number } {
    const { web, worker } = Object.fromEntries([...this.#children].map(([name, { pid }]) => [name, pid]));
    return { web, worker };
  }

  /** What else has to be ended when the bench is told to stop half way. */
  atEnd(work: () => Promise<void>): void {
    this.#endings.push(work);
  }

  close(): Promise<void> {
    return (this.#closed ??= (async () => {
      for (const end of this.#endings.toReversed()) await end();
      await Promise.allSettled(this.#made.values());
      for (const name of ['web', 'otra', 'worker', 'sandbox', 'mayoristas']) await this.#stop(name);
      await this.#opened?.close();
      await this.#owner?.close();
      await this.#postgres?.stop();
      rmSync(this.folder, { recursive: true, force: true });
    })());
  }

  /** The settings of every process here, this one included: they are read once, so this comes before anything reads them. */
  #env() {
    return this.#once('env', async () => {
      const postgres = (this.#postgres = await startEmbedded({
        folder: this.folder,
        settings: { track_commit_timestamp: 'on' },
      }));
      this.#ownerUrl = await postgres.ensureDatabase('bench');
      const { url } = await migrateDatabase(this.#ownerUrl);
      const [web, sandbox, smtp] = [await freePort(), await freePort(), await freePort()];
      const env = {
        ...FRUGAL_ENV,
        NODE_ENV: 'production',
        TZ: 'UTC',
        DATABASE_URL: url,
        HOST: '127.0.0.1',
        PORT: String(web),
        APP_URL: `http://127.0.0.1:${web}`,
        LLAVES: `bench:${randomBytes(32).toString('base64')}`,
        WEBHOOK_SECRETO: randomBytes(24).toString('base64url'),
        DEMO: '1',
        ...sandboxAddresses(`http://127.0.0.1:${sandbox}`, smtp),
        SANDBOX_PORT: String(sandbox),
        SANDBOX_SMTP_PORT: String(smtp),
        SANDBOX_APP_URL: `http://127.0.0.1:${web}`,
      };
      Object.assign(process.env, env);
      return env;
    });
  }

  #start(name: string, args: string[], more: Record<string, string> = {}): number {
    const log = openSync(this.#logOf(name), 'a');
    const leash = pathToFileURL(resolve('bin/lib/leash.mjs')).href;
    const child = spawn(process.execPath, ['--import', leash, ...args], {
      stdio: ['pipe', log, log],
      env: { ...process.env, ...more },
    });
    closeSync(log);
    child.stdin?.on('error', () => {});
    this.#children.set(name, child);
    return child.pid!;
  }

  async #stop(name: string): Promise<void> {
    const child = this.#children.get(name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    const inTime = await Promise.race([gone.then(() => true), sleep(20_000, false, { ref: false })]);
    if (!inTime) {
      child.kill('SIGKILL');
      await gone;
    }
  }

  #logOf(name: string): string {
    return join(this.folder, `${name}.log`);
  }

  #tail(name: string): string {
    return readFileSync(this.#logOf(name), 'utf8').trimEnd().split('\n').slice(-12).join('\n');
  }
}

export async function answers(url: string, name: string, tail: () => string, patience = 30_000): Promise<void> {
  for (const end = Date.now() + patience; ; await sleep(25)) {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
    await answer?.arrayBuffer().catch(() => undefined);
    if (answer && answer.status < 500) return;
    if (Date.now() > end) throw new Error(`${name} did not answer at ${url}\n${tail()}`);
  }
}

/** By the login page's own form. */
export async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url },
    body: new URLSearchParams({ intent: 'entrar', ...PERSON, recordar: 'on' }),
  });
  const cookie = answer.headers
    .getSetCookie()
    .find((one) => one.startsWith('sesion='))
    ?.split(';')[0];
  if (!cookie) throw new Error(`nobody could sign in (${answer.status})`);
  return cookie;
}
