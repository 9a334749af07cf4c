import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { ultimoCuadreDeLibros } from '~/domain/ventas/libro/cuadreLibro.server';
import type { Db } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import type { SandboxClient } from '../support/sandboxClient';
import { cookieOf, PASSWORD } from '../support/web';
import type { Trafico } from './trafico';

/** Returns the cookie of a session of `sa`, as the login page gives it. */
export async function signIn(base: string): Promise<string> {
  const body = new URLSearchParams({ intent: 'entrar', usuario: 'sa', password: PASSWORD, recordar: 'on' });
  return cookieOf(
    await fetch(`${base}/login`, { method: 'POST', redirect: 'manual', headers: { origin: base }, body }),
  );
}

/** Asks for the Excel of the sales, and returns its address once it is there. */
export async function exportOrdenes(base: string, cookie: string): Promise<string> {
  const body = new URLSearchParams({ intent: 'pedir', lista: 'ordenes', volver: '/sa/ordenes' });
  await fetch(`${base}/sa/exportaciones`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: base, cookie },
    body,
  });
  for (;;) {
    const answer = await fetch(`${base}/sa/exportaciones?lista=ordenes`, { headers: { cookie } });
    const [hecha] = ((await answer.json()) as { id: string; estado: string }[]).filter(
      ({ estado }) => estado === 'done',
    );
    if (hecha) return `/sa/descargas/exportacion/${hecha.id}`;
    await sleep(100);
  }
}

/** Holds what was asked against what there is: nothing failed, each sale that was told of is here with its one document, and each agent stands once. */
export async function expectNothingLost(db: Db, sandbox: SandboxClient, trafico: Trafico): Promise<void> {
  expect(trafico.pedidas.filter(({ mal }) => mal !== undefined)).toEqual([]);
  const stamps = () =>
    db.selectFrom('effect').select(['state', 'ref']).where('type', '=', 'cfdi.stamp').orderBy('ref').execute();
  await expectOnceEach(db, sandbox, trafico, () =>
    expect.poll(async () => (await stamps()).filter(({ state }) => state !== 'done'), { timeout: 60_000 }).toEqual([]),
  );
  const timbradas = await sandbox.facturacom.stamped();
  expect(timbradas.map(({ NumOrder }) => NumOrder).sort()).toEqual((await stamps()).map(({ ref }) => ref).sort());
  expect(timbradas.length).toBe(trafico.avisadas.length);
  expect(await agentes(db)).toEqual([...trafico.agentes].sort());
}

/** Each sale whose notice was taken is here and has its one document, once `settled` resolves, and each agent that was told as added stands once. */
export async function expectOnceEach(
  db: Db,
  sandbox: SandboxClient,
  trafico: Trafico,
  settled: () => Promise<unknown>,
): Promise<void> {
  const { avisadas } = trafico;
  const ordenes = () =>
    db.selectFrom('orden').select('numOrden').distinct().where('numOrden', 'in', avisadas).execute();
  // What a process had in hand when it was killed is free again after three minutes, and looked for each minute (`take` of the inbox).
  await expect.poll(async () => (await ordenes()).length, { timeout: 250_000 }).toBe(avisadas.length);
  await trafico.invoiceAll();
  await settled();
  const facturadas = await db
    .selectFrom('orden')
    .innerJoin('facturaOrden', 'facturaOrden.ordenId', 'orden.id')
    .select(['numOrden', sql<number>`count(distinct factura_id)::int`.as('documentos')])
    .where('numOrden', 'in', avisadas)
    .groupBy('numOrden')
    .orderBy('numOrden')
    .execute();
  expect(facturadas).toEqual([...avisadas].sort().map((numOrden) => ({ numOrden, documentos: 1 })));
  const hay = await agentes(db);
  expect(hay).toEqual([...new Set(hay)]);
  expect(trafico.agentes.filter((email) => !hay.includes(email))).toEqual([]);
}

/** The nightly comparison of the ledger, asked for now, finds no sale whose movements do not hold. */
export async function expectLibroCuadra(db: Db): Promise<void> {
  const antes = await ultimoCuadreDeLibros(db);
  await enqueue(db, 'libro.cuadrar', {});
  await expect
    .poll(
      async () => {
        const cuadre = await ultimoCuadreDeLibros(db);
        return cuadre && cuadre.id !== antes?.id ? cuadre.descuadradas : undefined;
      },
      { timeout: 120_000 },
    )
    .toBe(0);
}

const agentes = async (db: Db) =>
  (await db.selectFrom('agenteVenta').select('email').where('email', 'like', 'agente%').execute())
    .map(({ email }) => email)
    .sort();
