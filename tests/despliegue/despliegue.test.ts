/** Webs and workers are started anew while people, customers and a marketplace go on, and nobody notices. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openStage } from '../faults/support/stage';
import { linkSandbox } from '../support/mercadolibre';
import { buildUsuarios } from '../support/web';
import { openCasa } from './casa';
import { tellPedidas } from './cuenta';
import { expectNothingLost, exportOrdenes, signIn } from './escena';
import { openTrafico } from './trafico';

const { db, sandbox } = await openStage({ pace: 0.05 });

/** What is under way before and after a roll. */
const AROUND_MS = 2_000;

test('two webs and two workers are rolled, and nothing that was asked meanwhile failed, was lost or came twice', async () => {
  await buildUsuarios(db);
  await linkSandbox(db, sandbox);
  // The first reading of an account, which takes longer than all that follows.
  await sql`delete from graphile_worker._private_jobs`.execute(db);
  const casa = await openCasa({ API_POR_MINUTO: '100000' });
  const cookie = await signIn(casa.base);
  const descarga = await exportOrdenes(casa.base, cookie);
  const trafico = await openTrafico({ base: casa.base, sandbox, cookie, descarga, porSegundo: 10 });
  await sleep(AROUND_MS);
  await casa.roll();
  await sleep(AROUND_MS);
  await trafico.stop();
  console.log(tellPedidas('la misma versión', trafico.pedidas));
  await expectNothingLost(db, sandbox, trafico);
  expect(await casa.stop()).toEqual([]);
}, 180_000);
