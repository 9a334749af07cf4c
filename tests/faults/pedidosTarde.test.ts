/** Orders that land when somebody has already decided that they never would: what is bought twice is told, and nothing is lost. */
import { beforeAll, expect, test } from 'vitest';
import { confirmPedido } from '~/domain/compras/pedidos/pedidos.server';
import { enqueue } from '~db/queue/catalog.server';
import { startWorker } from '~jobs/worker';
import { buildQuien } from '../support/builders/ordenes';
import { buildVentaDe, openProveedores, pedir } from '../support/builders/pedidos';
import { testDatabase } from '../support/db';
import { setPace } from '../support/pac';
import { startTestSandbox } from '../support/sandbox';
import { pressBoard, readAlarms } from './support/board';
import { fillTokens, passMinute } from './support/budgets';
import { LONG, luck, pause, report, times } from './support/scene';

/** A minute is 720 ms. A call gives up after 1 s, and absent is believed after 2.2 s. */
const PACE = 0.012;
setPace(PACE, { deadlines: true });
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db, url } = testDatabase();
const next = luck(20261127);

const PROVEEDORES = ['ct', 'cva', 'syscom'] as const;
type Proveedor = (typeof PROVEEDORES)[number];
const ESCRITURA = { ct: 'POST /pedido', cva: '/pedidos_web/crear_orden', syscom: '/carrito/generar' } as const;
/** The long form orders 1,000 times, some dozens of them at once: each round waits half an hour of its clock for the last that lands. */
const [RONDAS, DE_CADA_UNO] = LONG ? [28, 12] : [1, 1];
/** Minutes between a send and its landing in the long form. In the short form an order lands once somebody has decided. */
const [PRIMERA, ULTIMA] = [1 / 6, 30];
/** Looks come every five minutes. A machine with other work takes its time over one. */
const SE_DICE_MIN = 6;
const minutes = (n: number) => n * 60_000 * PACE;
/** An invoice of Syscom, the only thing that shows an order there, is made within these seconds of its clock. */
const FACTURA_S = 1_200;

let usuarioId: string;
/** The folios that an alarm named which a person read. */
const dichas = new Set<string>();
beforeAll(async () => {
  await openProveedores(db, sandbox, PROVEEDORES);
  usuarioId = (await buildQuien(db)).id;
});

async function comprar(numOrden: string, proveedor: Proveedor) {
  const id = await pedir(db, { numOrden }, proveedor, usuarioId);
  if (proveedor === 'ct') return;
  await db.transaction().execute(async (trx) => {
    const { version } = await trx.selectFrom('pedido').select('version').where('id', '=', id).executeTakeFirstOrThrow();
    await confirmPedido(trx, { id, version }, usuarioId);
  });
}

/** A person at the board, who also buys once more what was given up. Returns how many presses there were. */
async function pulsar(): Promise<number> {
  const presses = await pressBoard(db, usuarioId, {
    types: 'pedido.crear.',
    again: ({ mayRepeat }) => LONG && Boolean(mayRepeat) && next() < 0.7,
  });
  const rechazados = await db
    .selectFrom('pedido')
    .select(['numOrden', 'proveedor'])
    // A sale may have been refused more than once.
    .distinct()
    .where('estado', '=', 'rechazado')
    .where('numOrden', 'not in', (vivos) =>
      vivos.selectFrom('pedido').select('numOrden').where('estado', '<>', 'rechazado'),
    )
    .execute();
  for (const { numOrden, proveedor } of rechazados) await comprar(numOrden, proveedor as Proveedor);
  return presses;
}

type Alla = { referencia: string; folio: string };

/**
 * What suppliers have and no pedido names, and whether an alarm named it. What lands while its own call is still looked for is not one too many: that look
 * finds it, and nothing is sent before.
 */
async function sobras() {
  const alarmas = await readAlarms(db, usuarioId);
  const abiertos = await db
    .selectFrom('effect')
    .select('ref')
    .where('type', 'like', 'pedido.crear.%')
    .where('state', 'in', ['queued', 'sending', 'unknown'])
    .execute();
  const enCamino = new Set(abiertos.map(({ ref }) => ref));
  const pedidos = await db.selectFrom('pedido').select(['proveedor', 'folioProveedor']).execute();
  const nuestros = new Set(pedidos.map(({ proveedor, folioProveedor }) => `${proveedor} ${folioProveedor}`));
  const all = await Promise.all(
    PROVEEDORES.map(async (proveedor) =>
      (await sandbox.proveedor(proveedor).get<Alla[]>('/pedidos')).map((one) => ({ ...one, proveedor })),
    ),
  );
  // Folios are remembered, and not the words: those of a whole run would take longer to search than what is watched.
  for (const { folio } of all.flat()) if (!dichas.has(folio) && alarmas.includes(folio)) dichas.add(folio);
  return {
    alla: all.flat().length,
    sobran: all
      .flat()
      .filter(({ proveedor, folio, referencia }) => !nuestros.has(`${proveedor} ${folio}`) && !enCamino.has(referencia))
      .map((one) => ({ ...one, dicha: dichas.has(one.folio) })),
  };
}

test(
  'orders that land late, and a person who presses whatever is offered: nothing is bought twice that nobody is told of',
  { timeout: times(180_000, 5_400_000) },
  async () => {
    let [presses, ventas, over] = [0, 0, false];
    /** When a piece too many was first seen there, and how many minutes later the board named it. */
    const vistas = new Map<string, number>();
    const tardanzas = new Map<string, number>();
    /** The clocks of the far sides and the person go on beside the worker, as they do in a shop: none waits for what another has in hand. */
    const goesOn = async (everyMs: number, turn: () => Promise<unknown>) => {
      for (; !over; await pause(everyMs)) await turn();
    };
    let ahora = await sobras();
    const worker = await startWorker({ url, concurrency: 5, schedule: false });
    const alongside = Promise.all([
      // A minute of the clock is far shorter than one of the budgets.
      goesOn(50, () => fillTokens(db)),
      goesOn(minutes(1), () => Promise.all([passMinute(sandbox), enqueue(db, 'effect.sweep', {})])),
      goesOn(100, async () => {
        presses += await pulsar();
        const now = await sobras();
        for (const { proveedor, folio, dicha } of now.sobran) {
          const de = `${proveedor} ${folio}`;
          if (!vistas.has(de)) vistas.set(de, performance.now());
          if (dicha && !tardanzas.has(de)) tardanzas.set(de, (performance.now() - vistas.get(de)!) / minutes(1));
        }
        ahora = now;
      }),
    ]);
    type Done = (ahora: Awaited<ReturnType<typeof sobras>>) => boolean | Promise<boolean>;
    const until = async (done: Done, withinMs: number) => {
      for (const end = performance.now() + withinMs; performance.now() < end; await pause(100))
        if (await done(ahora)) return;
    };

    for (let ronda = 0; ronda < RONDAS; ronda++) {
      for (let n = 0; n < DE_CADA_UNO; n++)
        for (const proveedor of PROVEEDORES) {
          const late = minutes(PRIMERA + next() * (ULTIMA - PRIMERA));
          await sandbox
            .proveedor(proveedor)
            .failNext(LONG ? 'slow' : 'held', { ms: Math.round(late), route: ESCRITURA[proveedor] });
          const { numOrden } = await buildVentaDe(db, sandbox, proveedor, { n: ronda * DE_CADA_UNO + n });
          await comprar(numOrden, proveedor);
          ventas++;
        }
      if (LONG) {
        await until(async () => (await sandbox.faults()).faults.length === 0, 300_000);
        await until(() => false, minutes(ULTIMA + 1));
      } else {
        await until(({ alla }) => presses >= ventas && alla >= ventas, 60_000);
        for (const proveedor of PROVEEDORES) await sandbox.release(proveedor);
      }
      // Syscom invoices later, and its invoices are all that it shows.
      await sandbox.proveedor('syscom').post('/reloj', { segundos: FACTURA_S });
      await until(
        ({ alla, sobran }) => (LONG || alla >= 2 * ventas) && sobran.every(({ dicha }) => dicha),
        times(60_000, minutes(12)),
      );
    }

    over = true;
    await alongside;
    await worker.stop();
    const { alla, sobran } = await sobras();
    const sinPedido = await db.selectFrom('pedido').select('numOrden').where('folioProveedor', 'is', null).execute();
    const callados = sobran.filter(({ dicha }) => !dicha);
    const conReferencia = [...tardanzas].filter(([de]) => !de.startsWith('syscom'));
    const tardanza = Math.max(0, ...conReferencia.map(([, tarda]) => tarda));
    report(LONG ? `pedidos que llegan hasta ${ULTIMA} min tarde` : 'pedidos que llegan después de decidir', {
      ventas,
      'hechos allá': alla,
      'pulsadas de una persona': presses,
      'llegaron de más': sobran.length,
      'sin decirlo': callados.length,
      'se dijo tras': `${tardanza.toFixed(1)} min`,
      [`después de ${SE_DICE_MIN} min`]: conReferencia.filter(([, tarda]) => tarda > SE_DICE_MIN).length,
    });
    expect(callados, 'bought and told to nobody').toEqual([]);
    expect(sinPedido.length, 'bought by nobody').toBeLessThanOrEqual(alla);
    if (LONG) expect(tardanza).toBeLessThanOrEqual(SE_DICE_MIN);
    else expect([presses, sobran.length]).toEqual([ventas, ventas]);
  },
);
