import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { NotAllowed } from '~/core/errors';
import { civilDay } from '~/core/time';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { acceptEffect, effectView } from '~/platform/effects/effects.server';
import { pauseConnection, resumeConnection } from '~/platform/connections/pause.server';
import { withdrawEffect } from '~/platform/effects/resolve.server';
import { requestCancelacion } from '~/domain/facturacion/cancelacion/requestCancelacion.server';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { openDraft, requireDraft } from '~/domain/facturacion/emision/draft.server';
import { beginSaveCliente } from '~/domain/facturacion/emision/draftSteps.server';
import { generateGlobal } from '~/domain/facturacion/mes/global.server';
import { savePacClient } from '~/domain/facturacion/receptores/internal/savePacClient.server';
import { stampFactura } from '~/domain/facturacion/emision/internal/stampFactura.server';
import { openSustitucion } from '~/domain/facturacion/emision/substituteFactura.server';
import { pacKeys } from '~/domain/facturacion/cfdi/facturacom.server';
import { createFacturacomReader } from '~/integrations/facturacom/read.server';
import { createFacturacomWriter } from '~/integrations/facturacom/write.server';
import { buildOrden } from '../../../support/builders/mes';
import { buildBorrador, buildVenta, CLIENTES, REVISION, type Venta } from '../../../support/builders/ventas';
import { openTestDatabase } from '../../../support/db';
import { runJobsUntil, withWorker } from '../../../support/jobs';
import { openPac, settle } from '../../../support/pac';

/** What users fear most: two CFDI for one sale. Here two documents reach for the same sale at once. */
const { db, sandbox, sa } = await openPac({ publicoGeneral: true });
const now = () => new Date();
const mes = () => civilDay(now()).slice(0, 7);
const haceUnMinuto = () => new Date(Date.now() - 60_000);

const generar = () => generateGlobal(db, { mes: mes(), usuarioId: sa.id, now: now() });
const pedirFactura = async (venta: Venta) => {
  const draft = await buildBorrador(db, venta, sa);
  return db
    .transaction()
    .execute((trx) =>
      createFactura(trx, draft, { revision: REVISION(), diferenciaAceptada: false, usuarioId: sa.id, now: now() }),
    );
};
const says = (promise: Promise<unknown>) =>
  promise.then(
    () => '',
    (error: NotAllowed) => error.message,
  );
const claimsOf = (ordenIds: string[]) =>
  db
    .selectFrom('fiscalClaim')
    .select(['ordenId', 'kind', 'effectId', 'facturaId'])
    .where('ordenId', 'in', ordenIds)
    .execute();
const facturasOf = (ordenId: string) =>
  db
    .selectFrom('factura')
    .innerJoin('facturaOrden', 'facturaOrden.facturaId', 'factura.id')
    .select(['factura.id', 'tipo'])
    .where('ordenId', '=', ordenId)
    .where('estatus', '<>', 'cancelada')
    .execute();
const ventaDe = ({ id, numOrden }: { id: string; numOrden: string }, total: string): Venta => ({
  numOrden,
  ordenIds: [id],
  total,
});

test('a global that begins to be cancelled between the look and the claim: nothing is stamped without a claim', async () => {
  const orden = await buildOrden(db, { fecha: haceUnMinuto(), precio: '490.00' });
  await generar();
  await settle();
  const [global] = await claimsOf([orden.id]);
  const draft = await buildBorrador(db, ventaDe(orden, '490.00'), sa);
  // Another press of the button holds the key, so that this one waits between its look and its claim.
  const holder = await holdKey(`orden:ml:${orden.numOrden}`);
  const creating = says(
    db
      .transaction()
      .execute((trx) =>
        createFactura(trx, draft, { revision: REVISION(), diferenciaAceptada: false, usuarioId: sa.id, now: now() }),
      ),
  );
  await holder.untilSomebodyWaits();
  await requestCancelacion(db, { facturaId: global!.facturaId!, motivo: '02', usuarioId: sa.id, now: now() });
  await holder.letGo();
  expect(await creating).toMatch(/^La orden está en la factura global F-\d+, que se está cancelando\.$/);
  await settle();
  expect(await claimsOf([orden.id])).toEqual([]);
  expect(await facturasOf(orden.id)).toEqual([]);
});

test('a substitution does not take the other orden of its pack from a global that is being stamped', async () => {
  const packId = '2000666600000001';
  const una = await buildOrden(db, { fecha: haceUnMinuto(), precio: '500.00', packId });
  await pedirFactura(ventaDe(una, '500.00'));
  await settle();
  const [vieja] = await facturasOf(una.id);
  const otra = await buildOrden(db, { fecha: haceUnMinuto(), precio: '700.00', packId });
  await db.transaction().execute((trx) => pauseConnection(trx, 'facturacom'));
  await generar();
  const borrador = await requireDraft(db, await openSustitucion(db, vieja!.id, sa.id, now()), sa);
  const sustituir = () =>
    db.transaction().execute((trx) =>
      createFactura(trx, borrador, {
        revision: borrador.revision!,
        diferenciaAceptada: true,
        usuarioId: sa.id,
        now: now(),
      }),
    );
  expect(await says(sustituir())).toBe('La orden está en la factura global del mes, que se está generando.');
  await db.transaction().execute((trx) => resumeConnection(trx, 'facturacom'));
  await settle();
  expect((await facturasOf(otra.id)).map(({ tipo }) => tipo)).toEqual(['global']);
  // Once the global is stamped the orden passes from it, and the global owes its credit note.
  await sustituir();
  await settle();
  const claims = await claimsOf([una.id, otra.id]);
  expect(new Set(claims.map(({ facturaId }) => facturaId)).size).toBe(1);
  expect(claims.every(({ kind }) => kind === 'individual')).toBe(true);
  expect(
    await db.selectFrom('refacturacion').select('ordenId').where('ordenId', 'in', [una.id, otra.id]).execute(),
  ).toEqual([{ ordenId: otra.id }]);
});

test('a stamp is not written for ordenes it does not hold: it waits for people, and its evidence stays', async () => {
  const venta = await buildVenta(db, { precios: ['310.00'] });
  await db.transaction().execute((trx) => pauseConnection(trx, 'facturacom'));
  const id = await pedirFactura(venta);
  await db.deleteFrom('fiscalClaim').where('ordenId', 'in', venta.ordenIds).execute();
  await db.transaction().execute((trx) => resumeConnection(trx, 'facturacom'));
  await runJobsUntil(
    async () => (await effectView(db, id))!.state === 'unknown' && (await effectView(db, id))!.result !== null,
  );
  expect(await db.selectFrom('factura').select('id').where('effectId', '=', id).execute()).toEqual([]);
  await db
    .insertInto('fiscalClaim')
    .values({ ordenId: venta.ordenIds[0]!, kind: 'individual', effectId: id })
    .execute();
  await settle();
  expect((await effectView(db, id))!.state).toBe('done');
});

test('a record corrected after it was chosen, or being corrected now, is not stamped unseen', async () => {
  const { rfc, razonSocial, cp, regimen } = CLIENTES[2];
  const corregir = (to: string) => db.updateTable('clienteFiscal').set({ cp: to }).where('rfc', '=', rfc).execute();
  const venta = await buildVenta(db, { precios: ['1011.00'] });
  const draft = await buildBorrador(db, venta, sa, rfc);
  const crear = () =>
    db
      .transaction()
      .execute((trx) =>
        createFactura(trx, draft, { revision: REVISION(), diferenciaAceptada: false, usuarioId: sa.id, now: now() }),
      );
  const cambiaron =
    'Los datos fiscales del cliente cambiaron después de elegirlos. Vuelve al paso anterior, búscalos de nuevo por su RFC y revísalos.';

  await corregir('44101');
  expect(await says(crear())).toBe(cambiaron);
  await corregir(cp);

  await db.transaction().execute((trx) => pauseConnection(trx, 'facturacom'));
  const cliente = { rfc, razonSocial, cp: '44102', regimen, emails: draft.cliente!.emails };
  const correccion = await db
    .transaction()
    .execute((trx) =>
      acceptEffect(trx, savePacClient, { request: { cliente, uid: draft.cliente!.uid }, usuarioId: sa.id }),
    );
  expect(await says(crear())).toBe(cambiaron);
  await db.transaction().execute((trx) => withdrawEffect(trx, EFFECTS, correccion.id, sa.id));

  // Asked for in time, sent after the correction.
  const id = await crear();
  await corregir('44103');
  await db.transaction().execute((trx) => resumeConnection(trx, 'facturacom'));
  await settle();
  expect(await effectView(db, id)).toMatchObject({
    state: 'refused',
    reason: expect.stringContaining('y no se timbró'),
  });
  expect(await sandbox.facturacom.stamped(venta.numOrden)).toEqual([]);
  expect(await claimsOf(venta.ordenIds)).toEqual([]);
  await corregir(cp);
});

test('two windows that save one customer with different data: the second is told, and no draft says what the PAC was not told', async () => {
  const datos = { rfc: 'GOMA900101AB1', razonSocial: 'ANA GOMEZ MARTINEZ', regimen: '612', email: 'ana@correo.test' };
  const abrir = async () => {
    const { numOrden } = await buildVenta(db);
    return requireDraft(db, await openDraft(db, numOrden, sa.id), sa);
  };
  const [primera, igual, otra] = [await abrir(), await abrir(), await abrir()];
  await sandbox.facturacom.aceptaTodo(true);
  await db.transaction().execute((trx) => pauseConnection(trx, 'facturacom'));
  const saved = await Promise.all(
    [primera, igual].map((draft) => beginSaveCliente(db, draft, { ...datos, cp: '06600' }, sa.id)),
  );
  expect(saved).toEqual([false, false]);
  expect(await says(beginSaveCliente(db, otra, { ...datos, cp: '11000' }, sa.id))).toMatch(
    /^En este momento se están guardando otros datos de este cliente\. Espera/,
  );
  await db.transaction().execute((trx) => resumeConnection(trx, 'facturacom'));
  await settle();
  await sandbox.facturacom.aceptaTodo(false);
  const drafts = await Promise.all(
    [primera, igual, otra].map(async ({ id }) => (await requireDraft(db, id, sa)).cliente),
  );
  expect(drafts).toMatchObject([{ modo: 'lectura', cp: '06600' }, { modo: 'lectura', cp: '06600' }, null]);
}, 30_000);

test('a save that was lost on its way to a client of that name, whom we did not know, is not taken for done: the PAC is told again', async () => {
  const datos = { rfc: 'HEMA900101AB1', razonSocial: 'HELENA MARQUEZ', regimen: '612' };
  await sandbox.facturacom.aceptaTodo(true);
  const pac = createFacturacomWriter(await pacKeys(db));
  const reader = createFacturacomReader(await pacKeys(db));
  const { uid } = await pac.createClient({ ...datos, cp: '11000', emails: ['h@correo.test'] });
  await sandbox.facturacom.failNext('reset', { route: `/v1/clients/${uid}/update` });
  await db.transaction().execute((trx) =>
    acceptEffect(trx, savePacClient, {
      request: { cliente: { ...datos, cp: '06600', emails: ['h@correo.test'] }, uid: null },
      usuarioId: sa.id,
    }),
  );
  await settle();
  expect((await reader.clientsByRfc(datos.rfc)).map(({ cp }) => cp)).toEqual(['06600']);
  await sandbox.facturacom.aceptaTodo(false);
}, 30_000);

test('as many customers saved at once as there are connections: none of them waits for another connection inside its transaction', async () => {
  const few = openTestDatabase(undefined, { max: 2 });
  await sandbox.facturacom.aceptaTodo(true);
  const saves = await Promise.all(
    ['BEMA900101AB1', 'CEMA900101AB1', 'DEMA900101AB1', 'FEMA900101AB1'].map(async (rfc) => {
      const { numOrden } = await buildVenta(db);
      const draft = await requireDraft(db, await openDraft(db, numOrden, sa.id), sa);
      return () =>
        beginSaveCliente(
          few.db,
          draft,
          { rfc, razonSocial: `CLIENTE ${rfc}`, regimen: '612', cp: '06600', email: 'uno@correo.test' },
          sa.id,
        );
    }),
  );
  const from = performance.now();
  expect(await withWorker(() => Promise.all(saves.map((save) => save())))).toEqual([true, true, true, true]);
  expect(performance.now() - from).toBeLessThan(8_000);
  await sandbox.facturacom.aceptaTodo(false);
}, 30_000);

/** A transaction that holds the living key of a stamp until it is let go. */
async function holdKey(key: string) {
  let letGo!: () => void;
  let isHeld!: () => void;
  const [asked, held] = [
    new Promise<void>((resolve) => (letGo = resolve)),
    new Promise<void>((resolve) => (isHeld = resolve)),
  ];
  const over = db
    .transaction()
    .execute(async (trx) => {
      await trx
        .insertInto('effect')
        .values({
          type: stampFactura.type,
          key,
          ref: `retenida ${key}`,
          connection: 'facturacom',
          request: '{}',
          requestHash: Buffer.from('-'),
        })
        .execute();
      isHeld();
      await asked;
      throw new Error('rolled back');
    })
    .catch(() => undefined);
  await held;
  return {
    letGo: async () => {
      letGo();
      await over;
    },
    async untilSomebodyWaits() {
      for (let look = 0; look < 200; look++) {
        const { rows } = await sql<{
          n: number;
        }>`select count(*)::int as n from pg_locks where not granted and locktype = 'transactionid'`.execute(db);
        if (rows[0]!.n > 0) return;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error('nobody came to wait for the key');
    },
  };
}
