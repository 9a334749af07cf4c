import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { saveKeys } from '~/platform/connections/keys.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { confirmPedido } from '~/domain/compras/pedidos/pedidos.server';
import { LIVE_STATES } from '~/platform/effects/effects.server';
import { enqueue } from '~db/queue/catalog.server';
import { buildQuien } from '../support/builders/ordenes';
import { buildVentaDe, openProveedores, pedir, PROVEEDORES, type ProveedorDePrueba } from '../support/builders/pedidos';
import { testDatabase } from '../support/db';
import { setPace } from '../support/pac';
import { stopWorkersAtTheEnd, WorkerProcess } from '../support/processes/worker';
import { startTestSandbox, type FailOptions } from '../support/sandbox';
import { fillBudgets } from './support/budgets';
import { expectPedidosEnOrden } from './support/checkPedidos';
import { buryKilled, LONG, luck, pause, report, seconds, times } from './support/scene';

/** A call gives up after 1 s, a lease ends after 1.1 s and absent is believed after 2.2 s. */
setPace(0.012, { deadlines: true });
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
stopWorkersAtTheEnd();
const next = luck(20261123);

/** Of each supplier; `FAULTS_PEDIDOS` says another number of all of them together. */
const POR_PROVEEDOR = times(3, Math.ceil(Number(process.env.FAULTS_PEDIDOS ?? 2_000) / PROVEEDORES.length));

type Fault = [mode: string, options?: FailOptions];
const BIEN: Fault = ['slow', { ms: 1 }];
const DESPUES: Fault[] = [
  ['hang-after-doing', { ms: 1_200 }],
  ['reset-after-doing'],
  ['500-after-doing'],
  ['half-answer'],
  ['html'],
  // It is done after we gave up, while it is being looked for.
  ['slow', { ms: 1_200 }],
];
const ANTES: Fault[] = [
  ['429', { ms: 1_000 }],
  ['429', { code: 'sinRetryAfter' }],
  ['503'],
  ['mantenimiento'],
  ['reset'],
  ['hang', { ms: 1_200 }],
  ['refuse', { message: 'Sin línea de crédito' }],
];
const MIRADAS: Fault[] = [['503'], ['reset'], ['mantenimiento'], ['html'], ['half-answer'], ['429']];

const barajar = <T>(some: readonly T[]): T[] =>
  some
    .map((one) => ({ one, at: next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);

/** Each call of these routes meets the next of these, in no order. Returns how many of them are wrong. */
async function lanzar(api: string, route: string, kinds: readonly Fault[], count: number): Promise<number> {
  // Mixed before, so that few calls do not meet the same few kinds at every supplier.
  const mixed = barajar(kinds);
  const some = barajar(Array.from({ length: count }, (_, at) => mixed[at % mixed.length]!));
  for (const [mode, options] of some) await sandbox.proveedor(api).failNext(mode, { ...options, route });
  return some.filter((fault) => fault !== BIEN).length;
}

const ESCRITURA: Readonly<Record<ProveedorDePrueba, readonly string[]>> = {
  syscom: ['/carrito/generar'],
  ct: ['POST /pedido', 'POST /pedido/confirmar', 'POST /pedido/guias'],
  cva: ['/pedidos_web/crear_orden', '/waybill'],
  tvc: [],
  ts: [],
};
const LECTURA: Readonly<Record<ProveedorDePrueba, readonly string[]>> = {
  syscom: ['GET /api/v1/carrito/estados'],
  ct: ['/pedido/listar', '/pedido/estatus'],
  cva: ['/pedidos_web/pedido_orden_compra', '/pedidos_web/consultar_pedido'],
  tvc: [],
  ts: [],
};

const abiertos = () =>
  db
    .selectFrom('effect')
    .select(['id', 'type', 'state', 'reason', 'nextAt', 'leaseUntil', 'sends', 'finds'])
    .where('state', 'in', LIVE_STATES)
    .where('state', '<>', 'manual')
    .execute();

/** Every token stops serving. One that is forgotten right after it was given breaks the link, and somebody saves the keys again. */
async function olvidarTokens() {
  for (const kind of ['syscom', 'ct', 'cva'] as const) await sandbox.proveedor(kind).post('/olvidaTokens');
  const rotas = await db.selectFrom('credential').select('connection').where('status', '=', 'broken').execute();
  for (const { connection } of rotas)
    await saveKeys(db, CONNECTIONS.of(connection), await sandbox.proveedor(connection).get('/llaves'), null);
}

/** Until nothing moves by itself any more. One that settles gives the others `within` ms more. */
async function hastaQuieto(within: number) {
  let end = performance.now() + within;
  let least = Infinity;
  for (let round = 1; ; round++) {
    const open = await abiertos();
    if (open.length === 0) return;
    if (open.length < least) {
      least = open.length;
      end = performance.now() + within;
    }
    if (performance.now() > end) {
      const { rows } = await sql`select kind, account_problem, tokens from connection`.execute(db);
      const llaves = await db.selectFrom('credential').select(['connection', 'status', 'detail']).execute();
      throw new Error(`${open.length} still move: ${JSON.stringify([open.slice(0, 4), rows, llaves])}`);
    }
    await fillBudgets(db, sandbox);
    if (round % times(8, 40) === 0) await olvidarTokens();
    await enqueue(db, 'effect.sweep', {});
    await pause(400);
  }
}

let usuarioId: string;
beforeAll(async () => {
  await openProveedores(db, sandbox, PROVEEDORES);
  usuarioId = (await buildQuien(db)).id;
});

test(
  'suppliers that fail in every way, and workers that are killed: nothing bought twice, nothing lost, every doubt on the board',
  { timeout: times(240_000, 3_600_000) },
  async () => {
    const began = performance.now();
    let fallas = 0;
    for (const kind of PROVEEDORES) {
      for (const route of ESCRITURA[kind])
        fallas += await lanzar(kind, route, [BIEN, ...DESPUES, ...ANTES], Math.ceil(POR_PROVEEDOR * 1.2));
      // Most looks are answered: else it would be an outage, in which nothing is known and looking rests.
      for (const route of LECTURA[kind])
        fallas += await lanzar(
          kind,
          route,
          MIRADAS.flatMap((fault) => [fault, BIEN, BIEN]),
          POR_PROVEEDOR,
        );
    }
    const cartas: Fault[] = [BIEN, BIEN, ['reset-after-doing'], ['500-after-doing'], ['503'], ['reset']];
    for (const [mode, options] of barajar(
      Array.from({ length: POR_PROVEEDOR * 2 }, (_, at) => cartas[at % cartas.length]!),
    ))
      await sandbox.correo.failNext(mode, options);

    let muertes = 0;
    /** One worker after another, each killed in the middle of what it does; the last one stays. */
    const unoTrasOtro = async (veces: number) => {
      for (; veces > 0; veces--) {
        const worker = await WorkerProcess.start();
        await pause(200 + next() * times(300, 5_000));
        await worker.kill('SIGKILL');
        await buryKilled(db, worker);
        muertes += 1;
      }
    };
    await WorkerProcess.start();
    const trabajadores = unoTrasOtro(times(1, POR_PROVEEDOR / 8));
    for (let n = 0; n < POR_PROVEEDOR; n++)
      for (const kind of PROVEEDORES) {
        const venta = await buildVentaDe(db, sandbox, kind, { n });
        // Two people at once.
        const [id] = await Promise.all([pedir(db, venta, kind, usuarioId), pedir(db, venta, kind, usuarioId)]);
        if (kind !== 'ct') await confirmar(id);
        if (n % 20 === 19) await fillBudgets(db, sandbox);
      }
    await trabajadores;
    await hastaQuieto(times(40_000, 1_800_000));
    const creados = await db
      .selectFrom('pedido')
      .select('id')
      .where('proveedor', '=', 'ct')
      .where('estado', '=', 'solicitado')
      .where(sql<boolean>`errores = '{}'`)
      .execute();
    for (const { id } of creados) await confirmar(id);
    await hastaQuieto(times(40_000, 1_800_000));
    await sandbox.clear();
    const cuenta = await expectPedidosEnOrden(db, sandbox);
    expect(cuenta.pedidos).toBe(POR_PROVEEDOR * PROVEEDORES.length);
    expect(cuenta.hechos).toBeGreaterThan(0);
    if (LONG) expect(cuenta.tablero + cuenta.rechazados).toBeGreaterThan(0);
    const { pedidos, hechos, rechazados, tablero, doblados, perdidos, fueraDelTablero } = cuenta;
    report('pedidos a cinco proveedores que fallan', {
      pedidos,
      fallas,
      muertes,
      hechos,
      rechazados,
      'en el tablero': tablero,
      doblados,
      perdidos,
      'sin aclarar fuera del tablero': fueraDelTablero,
      tiempo: seconds(performance.now() - began),
    });
  },
);

async function confirmar(id: string) {
  await db.transaction().execute(async (trx) => {
    const { version } = await trx
      .selectFrom('pedido')
      .select('version')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    await confirmPedido(trx, { id, version }, usuarioId);
  });
}
