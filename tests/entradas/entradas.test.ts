import { beforeAll, expect, test } from 'vitest';
import { ROLES } from '~/access/screens';
import { buildEnlace } from '../support/builders/enlaces';
import { buildFactura } from '../support/builders/facturas';
import { buildOrden } from '../support/builders/ordenes';
import { buildVenta } from '../support/builders/ventas';
import { testDatabase } from '../support/db';
import { openEmisor } from '../support/pac';
import { startTestSandbox } from '../support/sandbox';
import { stopWorkersAtTheEnd, WorkerProcess } from '../support/processes/worker';
import { buildUsuarios, Web } from '../support/web';
import { openSession } from '~/domain/personal/sesiones.server';
import { Hilo } from './hilo';
import { BODIES, HEADS, LINES } from './hostil';
import { doorsFirst, lot, plan, shuffled, tell, type Shot, type Visitor } from './plan';

/**
 * Hostile input over every action, loader, file route and call of the API, by each role, at the web process as production runs it. Some of it in `npm test`; all of
 * it, 60,000 requests at least, with `npm run test:entradas`. ENTRADAS_SEMILLA draws other ones.
 */
const LONG = process.env.ENTRADAS === 'long';
/** In `npm test` one for each door, and so many more. */
const [SHOTS, MORE] = [60_000, 100];
const AT_ONCE = 8;
const SLOW_MS = 2_000;
/** Beside the limit for all, what a body of a size may take: twice as long, twice the time, and no more. */
const MS_PER_KB = 20;
/** Only those whose address and fault it fits: to look again at what was found. */
const SOLO = process.env.ENTRADAS_SOLO ? new RegExp(process.env.ENTRADAS_SOLO) : undefined;
const SEED = Number(process.env.ENTRADAS_SEMILLA ?? 20_261_122);

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
stopWorkersAtTheEnd();
let web: Web;
let usuarios: Awaited<ReturnType<typeof buildUsuarios>>;
let passwordHash: string;
const cookies = new Map<Visitor, string>();
const bearers = new Map<Visitor, string>();
const pick = lot(SEED);
const known: string[] = [];
const tokens: string[] = [];

beforeAll(async () => {
  usuarios = await buildUsuarios(db);
  ({ passwordHash } = await db.selectFrom('usuario').select('passwordHash').limit(1).executeTakeFirstOrThrow());
  await openEmisor(db, sandbox);
  for (let made = 0; made < 4; made++) {
    const venta = await buildVenta(db);
    const { id } = await buildOrden(db, { envio: { propio: true } });
    const factura = await buildFactura(db, {});
    tokens.push(
      (await buildEnlace(db, venta)).token,
      (await buildEnlace(db, venta, { proposito: 'datosEnvio' })).token,
    );
    known.push(...venta.ordenIds, venta.numOrden, id, factura.id);
  }
  known.push(...Object.values(usuarios));
  // Some answers wait for what the worker does: without one they would wait in vain.
  await WorkerProcess.start();
  web = await Web.start({ API_POR_MINUTO: '100000' });
  for (const rol of ROLES) cookies.set(rol, await web.session(rol));
  await giveBearers();
}, 240_000);

const ids = {
  random: (name: string) =>
    name === 'secreto'
      ? process.env.WEBHOOK_SECRETO!
      : name === 'token'
        ? tokens[Math.floor(pick() * tokens.length)]!
        : known[Math.floor(pick() * known.length)]!,
};

type Result = { shot: Shot; status: number; ms: number; kb: number; to: string };

async function fire(shot: Shot): Promise<Result> {
  const body = shot.body?.();
  const api = shot.path.startsWith('/api/');
  const cookie = api ? undefined : cookies.get(shot.visitor);
  const bearer = api ? bearers.get(shot.visitor) : undefined;
  const began = performance.now();
  const answer = await web.fetch(shot.path, {
    method: shot.method,
    cookie,
    // fetch would name a type for a text; none is sent as none.
    body: body && (new Blob([body.text]) as never),
    headers: {
      Accept: 'text/html',
      ...(body?.type && { 'Content-Type': body.type }),
      ...(bearer && { Authorization: `Bearer ${bearer}` }),
    },
    signal: AbortSignal.timeout(30_000),
  });
  const text = await answer.text();
  const to = answer.headers.get('Location') ?? (answer.status === 202 ? text : '');
  return { shot, status: answer.status, ms: performance.now() - began, kb: (body?.text.length ?? 0) / 1_024, to };
}

/** Tokens of the API, one for each role, as if each had signed in by it. */
async function giveBearers() {
  for (const rol of ROLES)
    bearers.set(rol, await db.transaction().execute((trx) => openSession(trx, { id: usuarios[rol] }, true)));
}

/** Whoever asked could not read the answer: its headers had no end, it was cut twice, or none came in time. */
const UNREADABLE = 0;

/** What an answer may be: anything that was decided. 503 says when to come back, or that no worker beats here. */
const isFault = ({ status, shot }: Result) =>
  status === UNREADABLE || (status >= 500 && !(status === 503 && /login|healthcheck/.test(shot.path)));
const isSlow = ({ ms, kb }: Result) => ms > Math.min(SLOW_MS, Math.max(1_000, kb * MS_PER_KB));
const told = ({ shot, status, ms, kb }: Result) =>
  `${shot.visitor} ${shot.method} ${tell(shot.path)} ${shot.what}: ${status}, ${Math.round(ms)} ms, ${Math.round(kb)} kB`;

/** The staff as it was, whoever was renamed, locked out or deactivated by what was sent; quotas are not what is tried here. */
async function mend() {
  for (const rol of ROLES)
    await db
      .updateTable('usuario')
      .set({ usuario: rol, rol, activo: true, passwordHash })
      .where('id', '=', usuarios[rol])
      .execute();
  for (const table of ['rateLimit', 'espera', 'exportRun'] as const) await db.deleteFrom(table).execute();
}

test('what is no request of a browser is refused and breaks nothing', async () => {
  const wrong: string[] = [];
  for (const [turn, line] of LINES.entries()) {
    // Each line with every head where inputs are tried at length, and here with a third of them.
    const heads = LONG ? HEADS : HEADS.filter((_, at) => at % 3 === turn % 3);
    const answers = await Promise.all(
      heads.map(async (head) => {
        const began = performance.now();
        const { status } = await web.raw([line, ...head]);
        return { head: head.join(' '), status, ms: performance.now() - began };
      }),
    );
    for (const { head, status, ms } of answers)
      if (!(status < 500) && !/healthcheck/.test(line))
        wrong.push(`${tell(line)} ${tell(head)}: ${status}, ${Math.round(ms)} ms`);
  }
  expect(wrong).toEqual([]);
  expect((await web.fetch('/login')).status).toBe(200);
}, 120_000);

test('a connection that a refused body leaves open answers its next request', async () => {
  const wrong: string[] = [];
  const paths = [
    '/login',
    '/sa/ordenes',
    '/salir.data',
    '/api/v1/ordenes',
    '/api/usuario/login',
    '/avisos/mercadolibre/x',
    '/assets/x',
    '/sa/subirApp',
    '/facturacion/x',
  ];
  const hilo = new Hilo(Number(new URL(web.base).port));
  const host = `Host: ${new URL(web.base).host}`;
  for (const [place, path] of paths.entries())
    for (const [turn, [type, body]] of BODIES.entries()) {
      if (!LONG && (place + turn) % 4 > 0) continue;
      for (const method of ['POST', 'PUT', 'GET']) {
        const head = [`${method} ${path} HTTP/1.1`, host, `Content-Length: ${Buffer.byteLength(body)}`];
        const first = await hilo.ask([...head, ...(type === undefined ? [] : [`Content-Type: ${type}`])], body);
        const next = await hilo.ask(['GET /favicon.svg HTTP/1.1', host]);
        if (
          !(first.status >= 200 && first.status < 500) ||
          first.ms > SLOW_MS ||
          next.status !== 200 ||
          next.ms > SLOW_MS
        )
          wrong.push(
            `${method} ${path} ${type} ${tell(body)}: ${first.status}, ${Math.round(first.ms)} ms; next ${next.status}, ${Math.round(next.ms)} ms`,
          );
      }
    }
  hilo.end();
  expect(wrong).toEqual([]);
}, 600_000);

test(
  'whatever is sent, it is answered, as something decided, in bounded time',
  async () => {
    const all = doorsFirst(shuffled(await plan(ids, pick), pick));
    const every = new Set(all.map(({ door }) => door));
    const asked = LONG ? SHOTS : every.size + MORE;
    const shots = (SOLO ? all.filter(({ path, what }) => SOLO.test(`${path} ${what}`)) : all).slice(0, asked);
    const faults: Result[] = [];
    const doors = new Set(shots.map(({ door }) => door));
    let slow: Result[] = [];
    const slowest: Result[] = [];
    const times: number[] = [];
    const cut: string[] = [];
    const statuses: Record<number, number> = {};
    let done = 0;
    const began = performance.now();
    let mending = Promise.resolve();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let shot = shots.pop(); shot; shot = shots.pop()) {
          done += 1;
          if (done % 1_000 === 0) await (mending = mending.then(mend));
          const result = await fire(shot)
            .catch((error: unknown) => {
              // As a browser does: a connection that ended under a request is opened again, once.
              cut.push(`${told({ shot, status: 0, ms: 0, kb: 0, to: '' })} ${String((error as Error).cause)}`);
              return fire(shot);
            })
            .catch((): Result => ({ shot, status: UNREADABLE, ms: 0, kb: 0, to: '' }));
          statuses[result.status] = (statuses[result.status] ?? 0) + 1;
          times.push(result.ms);
          if (result.ms > SLOW_MS) slowest.push(result);
          if (isFault(result)) faults.push(result);
          if (isSlow(result)) slow.push(result);
          if (result.status === 401 && bearers.has(shot.visitor)) await (mending = mending.then(giveBearers));
          if (result.to.includes('/login') && shot.visitor !== 'anonimo') {
            await (mending = mending.then(async () => {
              await mend();
              cookies.set(shot.visitor, await web.session(shot.visitor));
            }));
          }
        }
      }),
    );
    // A machine under load makes anything slow once; what is slow by itself is slow each time.
    for (let again = 0; again < 3; again++) {
      const still: Result[] = [];
      for (const { shot } of slow) {
        const result = await fire(shot);
        if (isSlow(result)) still.push(result);
      }
      slow = still;
    }
    times.sort((a, b) => a - b);
    const at = (part: number) => Math.round(times[Math.min(times.length - 1, Math.floor(part * times.length))]!);
    console.log(
      `${done} peticiones en ${Math.round((performance.now() - began) / 1_000)} s (semilla ${SEED}): p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, máximo ${at(1)} ms; ` +
        Object.entries(statuses)
          .map(([status, n]) => `${status}: ${n}`)
          .join(', ') +
        `; cortadas ${cut.length}; más de ${SLOW_MS} ms la primera vez: ${slowest.map(told).join(' | ') || 'ninguna'}`,
    );
    const lines = web.lines.filter(({ level, message }) => level === 'error' || message.includes('no pasó de la base'));
    expect(cut.length, cut.slice(0, 5).join('\n')).toBeLessThan(5);
    const found = { faults: faults.slice(0, 40).map(told), lines: lines.slice(0, 20), slow: slow.map(told) };
    expect(found).toEqual({ faults: [], lines: [], slow: [] });
    if (!SOLO) expect(done).toBeGreaterThanOrEqual(asked);
    if (!SOLO) expect([...every].filter((door) => !doors.has(door))).toEqual([]);
    // By id: a form that was right may have renamed one.
    const left = await db.selectFrom('usuario').select('id').where('id', 'in', Object.values(usuarios)).execute();
    expect(left).toHaveLength(ROLES.length);
  },
  LONG ? 3_000_000 : 240_000,
);
