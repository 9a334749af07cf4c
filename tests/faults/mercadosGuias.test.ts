/** Labels bought while answers are lost, cut, late or refused and their worker is killed: none is bought twice, none that was paid for is lost. */
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { NotAllowed } from '~/core/errors';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { resolveAsAbsent, resolveAsExisting } from '~/platform/effects/resolve.server';
import { sweepEffects } from '~/platform/effects/runEffect.server';
import { buyGuia } from '~/domain/ventas/envios/buyGuia.server';
import { readPropio } from '~/domain/ventas/envios/propios.server';
import { linkSandboxAmazon } from '../support/amazon';
import { buildQuien } from '../support/builders/ordenes';
import { testDatabase } from '../support/db';
import { conRemitente, type GuiaFacts, PAQUETE, sellPorEnviar } from '../support/guiasAmz';
import { passSend, runJobs } from '../support/jobs';
import { startTestSandbox } from '../support/sandbox';
import { luck, report, times } from './support/scene';

/** A call gives up after 1 s. */
process.env.EFFECT_PACE = '0.02';
delete process.env.EFFECT_DEADLINE;
const sandbox = await startTestSandbox({
  mercadolibre: { orders: 0 },
  appUrl: process.env.APP_URL,
  amazon: { ventas: 0, ritmo: 100_000 },
});
const { db } = testDatabase();
const amz = sandbox.proveedor('amazon');
const next = luck(20261125);
const CUANTAS = times(24, 400);
const WITHIN_MS = times(240_000, 1_800_000);

const MODOS = [
  'reset-after-doing',
  '500-after-doing',
  'half-answer',
  'html',
  '429',
  '503',
  'reset',
  'hang-after-doing',
];
const RUTAS = ['POST /mfn/v0/shipments', 'POST /mfn/v0/shipments', 'POST /mfn/v0/eligible', 'POST /tokens', 'GET /mfn'];
const una = <T>(de: readonly T[]): T => de[Math.floor(next() * de.length)]!;
const ESTAFETA = { servicio: 'ESTAFETA_TERRESTRE', nombre: 'Terrestre', paqueteria: 'Estafeta', precio: '149.00' };
let quien: Awaited<ReturnType<typeof buildQuien>>;

beforeAll(async () => {
  await amz.post('/interruptores', { limite: 'conEncabezado' });
  quien = await buildQuien(db);
  await linkSandboxAmazon(db, sandbox);
  await conRemitente(db);
}, 60_000);

type Venta = Awaited<ReturnType<typeof sellPorEnviar>>;
async function ask({ id }: Venta): Promise<'asked' | 'no'> {
  const { huella } = (await readPropio(db, id))!;
  const form = { orden: id, huella, ...PAQUETE, ...ESTAFETA };
  try {
    await db.transaction().execute((trx) => buyGuia(trx, form, quien.id));
    return 'asked';
  } catch (error) {
    if (error instanceof NotAllowed) return 'no';
    throw error;
  }
}

/** What a process that died in the middle of a call leaves behind: nobody holds its lease any more. */
const die = () =>
  sql`update effect set lease_until = now() - interval '1 second' where state = 'sending' and type = 'amz.guia'`.execute(
    db,
  );
async function work() {
  await sql`delete from connection`.execute(db);
  await die();
  await sql`update effect set next_at = now() where state in ('queued', 'unknown')`.execute(db);
  await sweepEffects(db);
  await runJobs();
}
const open = async () =>
  db
    .selectFrom('effect')
    .select(['id', 'state', 'result', sql<string>`request ->> 'marketId'`.as('venta')])
    .where('type', '=', 'amz.guia')
    .where('state', 'in', ['queued', 'sending', 'unknown', 'manual'])
    .execute();

test(
  `${CUANTAS} labels bought under faults: none twice, none that was paid for lost`,
  async () => {
    const ventas: Venta[] = [];
    for (let n = 0; n < CUANTAS; n++) ventas.push(await sellPorEnviar(db, sandbox));
    let fallas = 0;
    for (const [n, venta] of ventas.entries()) {
      if (next() < 0.7) {
        await amz.failNext(una(MODOS), { route: una(RUTAS), ms: 50 });
        fallas++;
      }
      await ask(venta);
      if (n % 3 === 2) await work();
    }
    const began = Date.now();
    let decididas = 0;
    for (;;) {
      await work();
      // Faults whose route nobody took again end here.
      if (Date.now() - began > WITHIN_MS / 3) await sandbox.clear('amazon');
      const pending = await open();
      // A person looks at Seller Central, and says what stands there.
      const sold = await amz.get<GuiaFacts[]>('/guias');
      for (const { id, venta } of pending.filter(({ state }) => state === 'manual')) {
        const found = sold.find((one) => one.venta === venta);
        decididas++;
        if (found) await db.transaction().execute((trx) => resolveAsExisting(trx, EFFECTS, id, found.id, quien.id));
        else {
          await passSend(db, id);
          await resolveAsAbsent(effectRuntime(db), id, quien.id);
        }
      }
      // Whoever was told no asks once more.
      const faltan = ventas.filter(({ numOrden }) => !sold.some(({ venta }) => venta === numOrden));
      for (const venta of faltan) await ask(venta);
      if (pending.length === 0 && faltan.length === 0) break;
      if (Date.now() - began > WITHIN_MS) throw new Error(`${pending.length} are still open, ${faltan.length} missing`);
    }
    const sold = await amz.get<GuiaFacts[]>('/guias');
    const dobles = sold.length - new Set(sold.map(({ venta }) => venta)).size;
    const aqui = await db.selectFrom('guiaComprada').select('marketId').execute();
    report('guías de Amazon', { compras: CUANTAS, fallas, decididas, vendidas: sold.length, dobles });
    expect(dobles).toBe(0);
    expect(aqui.map(({ marketId }) => marketId).toSorted()).toEqual(sold.map(({ id }) => id).toSorted());
  },
  WITHIN_MS + 60_000,
);
