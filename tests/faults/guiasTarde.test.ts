/** Labels that Amazon sells when somebody has already decided that it never did: what was paid for twice is told. */
import { beforeAll, expect, test } from 'vitest';
import { NotAllowed } from '~/core/errors';
import { buyGuia } from '~/domain/ventas/envios/buyGuia.server';
import { readPropio } from '~/domain/ventas/envios/propios.server';
import { enqueue } from '~db/queue/catalog.server';
import { linkSandboxAmazon } from '../support/amazon';
import { buildQuien } from '../support/builders/ordenes';
import { testDatabase } from '../support/db';
import { conRemitente, type GuiaFacts, PAQUETE, sellPorEnviar } from '../support/guiasAmz';
import { runJobs } from '../support/jobs';
import { setPace } from '../support/pac';
import { startTestSandbox } from '../support/sandbox';
import { pressBoard, readAlarms } from './support/board';
import { fillBudgets } from './support/budgets';
import { LONG, pause, report, times } from './support/scene';

/** A minute is 720 ms. A call gives up after 1 s, and absent is believed after 2.2 s. */
setPace(0.012, { deadlines: true });
const sandbox = await startTestSandbox({
  mercadolibre: { orders: 0 },
  appUrl: process.env.APP_URL,
  amazon: { ventas: 0, ritmo: 100_000 },
});
const { db } = testDatabase();
const amz = sandbox.proveedor('amazon');

/** The long form buys 300 times, so few at once that what a person decides lands within the hour that is looked through every five minutes. */
const [RONDAS, A_LA_VEZ] = LONG ? [30, 10] : [1, 2];
const COMPRA = 'POST /mfn/v0/shipments';
const ESTAFETA = { servicio: 'ESTAFETA_TERRESTRE', nombre: 'Terrestre', paqueteria: 'Estafeta', precio: '149.00' };
let usuarioId: string;
/** The labels that an alarm named which a person read. */
const dichas = new Set<string>();

beforeAll(async () => {
  await amz.post('/interruptores', { limite: 'conEncabezado' });
  usuarioId = (await buildQuien(db)).id;
  await linkSandboxAmazon(db, sandbox);
  await conRemitente(db);
}, 60_000);

type Venta = Awaited<ReturnType<typeof sellPorEnviar>>;

/** Presses 'Comprar guía'; a sale that has one, or whose purchase is under way, takes none. */
async function comprar({ id }: Venta) {
  const { huella } = (await readPropio(db, id))!;
  const form = { orden: id, huella, ...PAQUETE, ...ESTAFETA };
  await db
    .transaction()
    .execute((trx) => buyGuia(trx, form, usuarioId))
    .catch((error: unknown) => {
      if (!(error instanceof NotAllowed)) throw error;
    });
}

async function sobras() {
  const alarmas = await readAlarms(db, usuarioId);
  const vendidas = await amz.get<GuiaFacts[]>('/guias');
  for (const { id, guia } of vendidas) if (alarmas.includes(id) || alarmas.includes(guia)) dichas.add(id);
  const nuestras = await db.selectFrom('guiaComprada').select('marketId').execute();
  const sobran = vendidas.filter(({ id }) => !nuestras.some(({ marketId }) => marketId === id));
  return {
    vendidas,
    sobran,
    calladas: sobran.filter(({ id }) => !dichas.has(id)),
  };
}

test(
  'labels that are sold late, and a person who presses whatever is offered: none is paid for twice that nobody is told of',
  { timeout: times(180_000, 3_600_000) },
  async () => {
    let presses = 0;
    let compras = 0;
    for (let ronda = 0; ronda < RONDAS; ronda++) {
      const ventas: Venta[] = [];
      for (let n = 0; n < A_LA_VEZ; n++) ventas.push(await sellPorEnviar(db, sandbox));
      await amz.failNext('held', { route: COMPRA, times: A_LA_VEZ });
      for (const venta of ventas) await comprar(venta);
      compras += A_LA_VEZ;
      const step = async () => {
        await fillBudgets(db, sandbox);
        await enqueue(db, 'effect.sweep', {});
        await runJobs();
        presses += await pressBoard(db, usuarioId, { types: 'amz.guia' });
        for (const venta of ventas) await comprar(venta);
        await pause(100);
        return sobras();
      };
      const stepUntil = async (done: (ahora: Awaited<ReturnType<typeof sobras>>) => boolean) => {
        for (const end = performance.now() + 120_000; performance.now() < end;) if (done(await step())) return;
      };
      // Given up by a person and bought again, before the first purchase lands.
      await stepUntil(({ vendidas }) => vendidas.length >= 2 * compras - A_LA_VEZ);
      await sandbox.release('amazon');
      await stepUntil(({ vendidas, calladas }) => vendidas.length >= 2 * compras && calladas.length === 0);
    }
    const { vendidas, sobran, calladas } = await sobras();
    report('guías que llegan después de decidir', {
      compras,
      vendidas: vendidas.length,
      'pulsadas de una persona': presses,
      'de más': sobran.length,
      'sin decirlo': calladas.length,
    });
    expect(calladas, 'paid for and told to nobody').toEqual([]);
    expect([presses, sobran.length]).toEqual([compras, compras]);
  },
);
