/**
 * `npm run test:despliegue`: a shop of an old version is upgraded to this one, and then to the next, by the letter of `docs/operar.md` and under twenty requests a second. DESPLIEGUE_DESDE
 * names another version of `versiones.json` by its place among those that have builds of their own, and DESPLIEGUE_MINUTOS the length of the traffic.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { applicationUrlOf } from '~db/rights';
import { openTestDatabase, ownerDatabase, ownerUrl } from '../support/db';
import { startTestSandbox } from '../support/sandbox';
import { openCasa } from './casa';
import { FELT_MS, tellPedidas } from './cuenta';
import { expectLibroCuadra, expectNothingLost, exportOrdenes, signIn } from './escena';
import { build, migrate, placeOf, plantNextVersion, run, shareWebBuilds } from './lugar';
import { openTrafico } from './trafico';
import versiones from './versiones.json';

const POR_SEGUNDO = 20;
const MINUTOS = Number(process.env.DESPLIEGUE_MINUTOS ?? '4');
const { commit } = versiones.filter(({ ensayo }) => ensayo).at(Number(process.env.DESPLIEGUE_DESDE ?? '-1'))!;

test(`from ${commit.slice(0, 8)} to this version and to the next nobody notices`, { timeout: 3_600_000 }, async () => {
  const sandbox = await startTestSandbox({ appUrl: process.env.APP_URL, mercadolibre: { orders: 200 } });
  const [antes, ahora] = [await placeOf(commit), await placeOf()];
  await build(antes);

  const owner = ownerUrl('/despliegue');
  await sql`create database despliegue`.execute(ownerDatabase().db);
  const url = applicationUrlOf(owner)!;
  const env = { DATABASE_URL: url, MIGRACION_URL: owner, API_POR_MINUTO: '100000', EFFECT_PACE: '0.05' };
  await migrate(antes, env);
  const casa = await openCasa(env, antes);
  await run(antes, process.execPath, ['bin/proceso.mjs', 'seed'], env);
  const cookie = await signIn(casa.base);
  const descarga = await exportOrdenes(casa.base, cookie);

  const began = Date.now();
  const trafico = await openTrafico({ base: casa.base, sandbox, cookie, descarga, porSegundo: POR_SEGUNDO });
  const marks: [que: string, from: number][] = [];
  const mark = (que: string) => marks.push([que, Date.now()]);
  const upgrade = async () => {
    mark('construir');
    await build(ahora);
    await shareWebBuilds(antes, ahora);
    mark('migrar');
    console.log(await migrate(ahora, env, '--revisar'));
    await migrate(ahora, env);
    mark('reiniciar');
    await casa.roll(ahora);
    mark('andar');
  };
  mark('andar');
  await sleep(10_000);
  await upgrade();
  await sleep(10_000);
  plantNextVersion(ahora);
  await upgrade();
  await sleep(Math.max(10_000, began + MINUTOS * 60_000 - Date.now()));
  await trafico.stop();

  for (const que of new Set(marks.map(([name]) => name))) {
    const isIn = (at: number) => marks.findLast(([, from]) => from <= at)?.[0] === que;
    console.log(
      tellPedidas(
        que,
        trafico.pedidas.filter(({ at }) => isIn(at)),
      ),
    );
  }
  console.log(tellPedidas(`todo, ${trafico.abiertasDeNuevo} páginas abiertas de nuevo`, trafico.pedidas));
  for (const line of casa.errors()) console.log(line);
  const { db } = openTestDatabase(url);
  await expectNothingLost(db, sandbox, trafico);
  await expectLibroCuadra(db);
  expect(trafico.versiones.size, 'versions whose pages were opened').toBe(3);
  expect(await casa.stop()).toEqual([]);
  // Processes that have just been started for the first time are slower, and no roll is to blame for it.
  const [, [, rolled]] = marks as [unknown, (typeof marks)[0]];
  const felt = trafico.pedidas.filter(({ at, ms }) => at >= rolled && ms > FELT_MS);
  expect(felt.map(({ que, at, ms }) => `${que} ${Math.round(ms)} ms, ${at - rolled} ms on`)).toEqual([]);
});
