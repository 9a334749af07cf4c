import { beforeAll, expect, test } from 'vitest';
import { readPropio } from '~/domain/ventas/envios/propios.server';
import { savePaqueteria } from '~/domain/ventas/envios/savePropio.server';
import { buildOrden } from '../support/builders/ordenes';
import { linkSandbox, type OrderFacts, type SaleFacts } from '../support/mercadolibre';
import type { FailOptions } from '../support/sandbox';
import { WorkerProcess } from '../support/processes/worker';
import { report, seconds, times, untilSettled } from './support/scene';
import { openStage } from './support/stage';

const { db, sandbox, usuario } = await openStage({ pace: 0.02, letters: 'sent' });
beforeAll(async () => {
  await linkSandbox(db, sandbox);
  await WorkerProcess.start();
}, 60_000);

type Mischief = [mode: string, options?: FailOptions];
const MISCHIEF: Mischief[] = [
  ['hang-after-doing', { ms: 1_500 }],
  ['reset-after-doing'],
  ['500-after-doing'],
  ['half-answer'],
  ['html'],
  ['slow', { ms: 1 }],
  ['reset'],
  ['hang', { ms: 1_500 }],
  ['503'],
  ['429'],
];

/** A package of ours that the marketplace knows, with what it was told of it. */
async function pack() {
  const { ordenes } = await sandbox.mercadolibre.newOrden<SaleFacts>('envioPropio', { sinAviso: true });
  const { envioId } = await sandbox.mercadolibre.get<OrderFacts>(`/ordenes/${ordenes[0]}`);
  const { id } = await buildOrden(db, { envioPropio: true, envio: { marketId: envioId!, propio: true } });
  await db.updateTable('envio').set({ modo: 'me1' }).where('marketId', '=', envioId!).execute();
  return { id, shipment: envioId! };
}

test(
  'a marketplace that answers in every wrong way hears each number of a package once',
  { timeout: 400_000 },
  async () => {
    const count = times(MISCHIEF.length, 60);
    const packs = [];
    for (let at = 0; at < count; at++) packs.push({ ...(await pack()), guia: `79460${at}` });
    const began = performance.now();
    for (const [at, { id, shipment, guia }] of packs.entries()) {
      const [mode, options] = MISCHIEF[at % MISCHIEF.length]!;
      await sandbox.mercadolibre.failNext(mode, {
        route: `POST /shipments/${shipment}/seller_notifications`,
        ...options,
      });
      const { huella } = (await readPropio(db, id))!;
      await db
        .transaction()
        .execute((trx) =>
          savePaqueteria(
            trx,
            { orden: id, huella, estatus: 'enCamino', paqueteria: 'FedEx', guia, paqueteriaUrl: undefined },
            usuario.id,
          ),
        );
    }
    await untilSettled(db, { within: times(90_000, 300_000), type: 'ml.shipment' });
    const told = await Promise.all(
      packs.map(async ({ shipment }) =>
        (
          await sandbox.mercadolibre.get<{ dicho: { status: string; guia: string }[] }>(`/envios/${shipment}`)
        ).dicho.map(({ status, guia }) => `${status} ${guia}`),
      ),
    );
    expect(told).toEqual(packs.map(({ guia }) => [`shipped ${guia}`]));
    expect(
      new Set(
        (await db.selectFrom('effect').select('state').where('type', '=', 'ml.shipment').execute()).map(
          ({ state }) => state,
        ),
      ),
    ).toEqual(new Set(['done']));
    report('rastreo a un marketplace que contesta mal', {
      paquetes: count,
      tiempo: seconds(performance.now() - began),
    });
  },
);
