/** Processes as an operator sees them: settings that are wrong, a database that is not there yet, and a stop that nobody notices. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { folderFaults, foldersOfWorker } from '~/core/carpetas.server';
import { routeOf } from '~/http/metrics.server';
import { webOf, workerOf } from '../../bin/lib/settings.mjs';
import { testDatabase } from '../support/db';
import { builtOnce } from '../support/processes/built';
import { stopWorkersAtTheEnd, WorkerProcess } from '../support/processes/worker';
import { buildUsuarios, Web } from '../support/web';

stopWorkersAtTheEnd();
const { url } = testDatabase();

/** What a process writes until it ends by itself, and with which code. */
async function runToItsEnd(program: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, program, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [said, failed] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (failed += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, lines: said.trim().split('\n'), failed };
}

test('settings that are wrong are all told in one line, by name and with a value that would do, and the process ends with 78', async () => {
  await Promise.all([builtOnce('web'), builtOnce('node')]);
  for (const program of [webOf(), workerOf()]) {
    const { code, lines, failed } = await runToItsEnd(program, { LLAVES: 'k1:corta', DB_POOL: 'muchas', PORT: '0' });
    expect([program, code, lines.length, failed]).toEqual([program, 78, 1, '']);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'error',
      message: 'configuración inválida',
      ajustes: [
        { ajuste: 'DB_POOL', dice: 'es un número', ejemplo: '10' },
        { ajuste: 'LLAVES', dice: 'cada llave es id:base64 de 32 bytes, separadas por comas' },
      ],
    });
  }
});

test('folders that a process uses and cannot use are told with everything else', async () => {
  await Promise.all([builtOnce('web'), builtOnce('node')]);
  const wrong = {
    PORT: '0',
    DB_POOL: 'muchas',
    CAPTURAS: `${process.cwd()}/package.json/capturas`,
    DISCOS: ['.', '/no/existe', `${process.cwd()}/package.json`].join(delimiter),
    RESPALDOS: '/no/existe/respaldos',
    RESPALDOS_S3: 'https://s3.ejemplo.mx/respaldos',
    RESPALDOS_S3_LLAVE: 'una',
    RESPALDOS_S3_SECRETO: 'otro',
    RESPALDO_CLAVE: 'una-frase-que-nadie-adivina',
  };
  const both = [
    { ajuste: 'DB_POOL', dice: 'es un número', ejemplo: '10' },
    { ajuste: 'CAPTURAS', dice: `${wrong.CAPTURAS} no es una carpeta`, ejemplo: '/var/lib/trastienda/capturas' },
    { ajuste: 'DISCOS', dice: '/no/existe no existe', ejemplo: '/var/lib/postgresql' },
    { ajuste: 'DISCOS', dice: `${process.cwd()}/package.json no es una carpeta`, ejemplo: '/var/lib/postgresql' },
  ];
  const backups = { ajuste: 'RESPALDOS', dice: '/no/existe/respaldos no existe', ejemplo: '/otro-disco/trastienda' };
  for (const [program, ajustes] of [
    [webOf(), both],
    [workerOf(), [...both, backups]],
  ] as const) {
    const { code, lines, failed } = await runToItsEnd(program, wrong);
    expect([program, code, lines.length, failed]).toEqual([program, 78, 1, '']);
    expect(JSON.parse(lines[0]!)).toMatchObject({ message: 'configuración inválida', ajustes });
  }
  // PostgreSQL archives there, and a worker without a bucket does not come near.
  expect(foldersOfWorker({ RESPALDOS: wrong.RESPALDOS })).not.toContain('RESPALDOS');
});

test('the folder of captures is made, and what is not a folder or is not there is told', () => {
  const place = mkdtempSync(join(tmpdir(), 'carpetas-'));
  const inside = join(place, 'a', 'b');
  expect(folderFaults({ CAPTURAS: inside, DISCOS: '', RESPALDOS: place }, ['CAPTURAS', 'DISCOS', 'RESPALDOS'])).toEqual(
    [],
  );
  expect(existsSync(inside)).toBe(true);
  expect(folderFaults({ CAPTURAS: '/proc/capturas' }, ['CAPTURAS'])).toEqual([
    { ajuste: 'CAPTURAS', dice: '/proc/capturas no existe' },
  ]);
  // A worker that made it would hide that another disk is not mounted.
  expect(folderFaults({ RESPALDOS: join(place, 'otro') }, ['RESPALDOS'])).toEqual([
    { ajuste: 'RESPALDOS', dice: `${join(place, 'otro')} no existe` },
  ]);
  expect(existsSync(join(place, 'otro'))).toBe(false);
  rmSync(place, { recursive: true });
});

/** A way to the database that can be opened later: nobody listens at its port until then. */
async function closedWay(): Promise<{ url: string; open(): Promise<Server> }> {
  const { hostname, port } = new URL(url);
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.pipe(far).pipe(near);
    for (const end of [near, far]) end.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
  });
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', () => resolve()));
  await listen(0);
  const { port: own } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const way = new URL(url);
  way.host = `127.0.0.1:${own}`;
  return { url: way.href, open: () => listen(own).then(() => server) };
}

test('a worker waits for a database that is not there yet, says so, and begins when it comes', async () => {
  const way = await closedWay();
  let worker: WorkerProcess | undefined;
  const started = WorkerProcess.start({ DATABASE_URL: way.url }).then((one) => (worker = one));
  await new Promise((resolve) => setTimeout(resolve, 8_000));
  expect(worker, 'began without a database').toBeUndefined();
  const server = await way.open();
  const { lines } = await started;
  expect(lines.filter((line) => line.includes('se espera por ella'))).toHaveLength(1);
  expect(await worker!.kill()).toEqual({ code: 0, signal: null });
  server.close();
});

test('a web that stops says first that it wants no more, and answers whoever still comes', async () => {
  const web = await Web.start({ CIERRE_ESPERA: '2', PRIMERA_DICHA: '1' });
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await web.fetch(path, { headers });
    return [answer.status, await answer.json(), answer.headers.get('connection')];
  };
  await testDatabase().db.deleteFrom('workerHeartbeat').execute();
  // No worker beats here: the web is ready all the same, for a balancer that knows it by another name.
  expect((await web.fetch('/healthcheck')).status).toBe(503);
  expect(await ask('/healthcheck/vivo')).toEqual([200, { vivo: true }, 'keep-alive']);
  expect(await ask('/healthcheck/listo')).toEqual([200, { listo: true }, 'keep-alive']);
  const raw = await web.raw(['GET /healthcheck/listo HTTP/1.1', 'Host: 10.0.0.7']);
  expect(raw.status).toBe(200);

  const ended = web.stop();
  const began = performance.now();
  await expect
    .poll(() => ask('/healthcheck/listo'))
    .toEqual([503, { listo: false, motivo: 'se está deteniendo' }, 'close']);
  expect((await ask('/healthcheck/vivo')).slice(0, 2)).toEqual([200, { vivo: true }]);
  const page = await web.fetch('/login');
  expect([page.status, page.headers.get('connection')]).toEqual([200, 'close']);
  expect(await ended).toBe(0);
  expect(performance.now() - began).toBeGreaterThan(1_500);
});

test('a web without a database is alive and not ready', async () => {
  const way = await closedWay();
  const web = await Web.start({ DATABASE_URL: way.url, PRIMERA_DICHA: '1' });
  expect((await web.fetch('/healthcheck/vivo')).status).toBe(200);
  const answer = await web.fetch('/healthcheck/listo');
  expect([answer.status, await answer.json()]).toEqual([503, { listo: false, motivo: 'la base de datos no responde' }]);
  const server = await way.open();
  await expect.poll(async () => (await web.fetch('/healthcheck/listo')).status).toBe(200);
  await web.stop();
  server.close();
});

test('the id of a request is that of the proxy where there is one, and well-formed', async () => {
  const web = await Web.start({ PROXY_HOPS: '1', PRIMERA_DICHA: '1' });
  const idOf = async (sent: string) =>
    (await web.fetch('/login', { headers: { 'X-Request-Id': sent } })).headers.get('X-Request-Id');
  expect(await idOf('de-la-puerta-1')).toBe('de-la-puerta-1');
  expect(await idOf('dos palabras')).not.toBe('dos palabras');
  await expect.poll(() => web.lines.find(({ requestId }) => requestId === 'de-la-puerta-1')?.message).toBe('petición');
  await web.stop();
  const sin = await Web.start({ PRIMERA_DICHA: '1' });
  const answer = await sin.fetch('/login', { headers: { 'X-Request-Id': 'de-la-puerta-1' } });
  expect(answer.headers.get('X-Request-Id')).not.toBe('de-la-puerta-1');
  await sin.stop();
});

/** The values of one measure: labels, as they are written, and value. */
const valuesOf = (text: string, name: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`trastienda_${name}{`) || line.startsWith(`trastienda_${name} `))
    .map((line) => line.slice('trastienda_'.length + name.length));

test('a monitor with the token reads requests, connections, jobs, effects and far sides, and nobody else reads anything', async () => {
  const METRICAS_TOKEN = 'una-palabra-de-prueba';
  const { db } = testDatabase();
  await db.deleteFrom('workerHeartbeat').execute();
  await db.insertInto('connection').values({ kind: 'facturacom' }).execute();
  await db
    .insertInto('connectionBreaker')
    .values({ kind: 'facturacom', call: 'send', openings: 1, openUntil: new Date(Date.now() + 60_000) })
    .execute();
  await db.insertInto('condicion').values({ clave: 'llaves', nivel: 'grave', texto: 'x', remedio: 'y' }).execute();
  await sql`select graphile_worker.add_job('effect.sweep', run_at := now() - interval '90 s')`.execute(db);
  const web = await Web.start({ METRICAS_TOKEN, PRIMERA_DICHA: '1' });
  const ask = (token?: string) =>
    web.fetch('/metrics', { headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } });
  expect([(await ask()).status, (await ask('otra-palabra-de-prueba')).status]).toEqual([401, 401]);
  await web.fetch('/login');
  await web.fetch('/nadie/sirve/esto');
  await web.fetch('/api/factura/ABCD010101AB1');

  const answer = await ask(METRICAS_TOKEN);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/plain; version='),
  ]);
  const text = await answer.text();
  const counts = valuesOf(text, 'http_request_duration_seconds_count').join('\n');
  expect(counts).toContain('{method="GET",route="/login",status="200"} 1');
  expect(counts).toContain('{method="GET",route=":otra",status="418"} 1');
  expect(counts).toContain('{method="GET",route=":otra",status="401"} 2');
  expect(text).not.toMatch(/ABCD010101AB1|nadie/);
  expect(valuesOf(text, 'db_pool_connections')).toHaveLength(3);
  expect(valuesOf(text, 'workers_alive')).toEqual([' 0']);
  expect(valuesOf(text, 'jobs')).toEqual(['{task="effect.sweep",state="due"} 1']);
  const [oldest] = valuesOf(text, 'job_oldest_due_seconds');
  expect(Number(oldest!.split(' ')[1])).toBeGreaterThanOrEqual(90);
  expect(valuesOf(text, 'far_side_paused')).toEqual(['{call="send",kind="facturacom"} 1']);
  expect(valuesOf(text, 'conditions')).toEqual(['{condition="llaves"} 2']);
  expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m);
  await web.stop();

  const sin = await Web.start({ PRIMERA_DICHA: '1' });
  expect((await sin.fetch('/metrics', { headers: { Authorization: 'Bearer ' } })).status).toBe(404);
  await sin.stop();
});

test('routes are few, however many addresses are asked for', () => {
  expect(routeOf('/sa/ordenes', 200)).toBe('/:rol/ordenes');
  expect(routeOf('/admin/archivos/pago/019a0000-0000-7000-8000-000000000000', 200)).toBe('/:rol/archivos/pago/:id');
  expect(routeOf('/assets/base-BGjdQeCe.js', 200)).toBe('/assets/:archivo');
  expect(routeOf('/cualquiera', 404)).toBe(':otra');
  expect(routeOf('/cont/ordenes', 403)).toBe('/:rol/ordenes');
  for (let at = 0; at < 1_000; at++) routeOf(`/palabra${at}`, 200);
  expect(routeOf('/otra-palabra', 200)).toBe(':otra');
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * What the proxy of `deploy/Caddyfile` does: it asks each web five times a second, and sends a request to the next one that said yes. A GET whose connection
 * breaks goes to another web, as Caddy does within `lb_try_duration`.
 */
class Proxy {
  private readonly ready = new Set<Web>();
  private turn = 0;
  /** GETs that went to a second web. */
  again = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(readonly webs: Set<Web>) {
    this.timer = setInterval(() => void this.look(), 200);
  }

  async look(): Promise<void> {
    for (const web of [...this.ready]) if (!this.webs.has(web)) this.ready.delete(web);
    await Promise.all(
      [...this.webs].map(async (web) => {
        const ok = await web.fetch('/healthcheck/listo').then(
          ({ status }) => status === 200,
          () => false,
        );
        if (ok && this.webs.has(web)) this.ready.add(web);
        else this.ready.delete(web);
      }),
    );
  }

  get next(): Web | undefined {
    const ready = [...this.ready];
    return ready[this.turn++ % ready.length];
  }

  /** The next web that said yes; waits for one as long as `lb_try_duration`. */
  private async ask(): Promise<Web> {
    for (const until = performance.now() + 3_000; performance.now() < until; await pause(50))
      if (this.ready.size > 0) return this.next!;
    throw new Error('no web says yes');
  }

  async get(path: string, sent: { cookie?: string }): Promise<Response> {
    const first = await this.ask();
    try {
      return await first.fetch(path, sent);
    } catch {
      this.ready.delete(first);
      this.again++;
      return (await this.ask()).fetch(path, sent);
    }
  }

  stop(): void {
    clearInterval(this.timer);
  }
}

test('two webs are rolled under twenty requests a second, and nobody notices', { timeout: 180_000 }, async () => {
  const { db } = testDatabase();
  await buildUsuarios(db);
  // Beside other tests a look of the proxy may take a second itself.
  const settings = { CIERRE_ESPERA: '2' };
  const webs = new Set([await Web.start(settings), await Web.start(settings)]);
  const proxy = new Proxy(webs);
  await proxy.look();
  const cookie = await proxy.next!.session('sa');
  const ASKED: [path: string, cookie?: string][] = [['/sa', cookie], ['/sa/ordenes', cookie], ['/login'], ['/']];
  const failed: string[] = [];
  let [asked, rolling] = [0, true];
  const ask = async () => {
    const [path, own] = ASKED[asked++ % ASKED.length]!;
    await proxy.get(path, { ...(own && { cookie: own }) }).then(
      async (answer) => {
        await answer.arrayBuffer();
        if (answer.status !== 200) failed.push(`${path} ${answer.status}`);
      },
      (error: unknown) => failed.push(`${path} ${String(error)}`),
    );
  };
  const visitors = (async () => {
    // People wait for their screens: a slow machine is asked less often.
    const under = new Set<Promise<void>>();
    for (; rolling; await pause(50)) {
      if (under.size >= 10) continue;
      const one: Promise<void> = ask().finally(() => under.delete(one));
      under.add(one);
    }
    await Promise.all(under);
  })();
  for (const old of [...webs]) {
    const fresh = await Web.start(settings);
    webs.add(fresh);
    await proxy.look();
    const ended = old.stop();
    await expect
      .poll(async () => (await proxy.look(), proxy.next !== old && proxy.next !== old), { timeout: 20_000 })
      .toBe(true);
    expect(await ended).toBe(0);
    webs.delete(old);
  }
  rolling = false;
  await visitors;
  proxy.stop();
  expect(failed).toEqual([]);
  expect(asked).toBeGreaterThan(60);
  expect(proxy.again, 'a web that leaves says so in time').toBeLessThan(asked / 20);
  await Promise.all([...webs].map((web) => web.stop()));
});
