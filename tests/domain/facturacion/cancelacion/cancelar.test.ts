import { describe, expect, test } from 'vitest';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { sql } from 'kysely';
import type { NotAllowed, Stale } from '~/core/errors';
import { civilDay } from '~/core/time';
import { effectView } from '~/platform/effects/effects.server';
import { pauseConnection, resumeConnection } from '~/platform/connections/pause.server';
import { cancelableOf, requestCancelacion } from '~/domain/facturacion/cancelacion/requestCancelacion.server';
import { plazoOfCancelacion, type Motivo } from '~/domain/facturacion/cancelacion/cancelacion';
import { readCfdiXml } from '~/integrations/sat/cfdiXml.server';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { openDraft, requireDraft } from '~/domain/facturacion/emision/draft.server';
import { followCancelacion, followCancelaciones } from '~/domain/facturacion/cancelacion/followCancelaciones.server';
import { readCorrecciones } from '~/domain/facturacion/cancelacion/correcciones.server';
import { generateGlobal } from '~/domain/facturacion/mes/global.server';
import { lineaOfFactura } from '~/domain/facturacion/cancelacion/internal/lineaFactura.server';
import { issueNotas } from '~/domain/facturacion/notasCredito/notasCredito.server';
import { readFacturaFile } from '~/domain/facturacion/cfdi/factura.server';
import { openSustitucion } from '~/domain/facturacion/emision/substituteFactura.server';
import { loader as descargar } from '~/routes/files/descargasFactura';
import { buildOrden } from '../../../support/builders/mes';
import { buildBorrador, buildVenta, REVISION, type Venta } from '../../../support/builders/ventas';
import { runJobsUntil } from '../../../support/jobs';
import { openPac, settle } from '../../../support/pac';

const { db, sandbox, sa } = await openPac();
const now = () => new Date();
const mes = () => civilDay(now()).slice(0, 7);

async function facturar(venta: Venta) {
  const draft = await buildBorrador(db, venta, sa);
  const effectId = await db
    .transaction()
    .execute((trx) =>
      createFactura(trx, draft, { revision: REVISION(), diferenciaAceptada: false, usuarioId: sa.id, now: now() }),
    );
  await settle();
  return db.selectFrom('factura').selectAll().where('effectId', '=', effectId).executeTakeFirstOrThrow();
}

const pedir = (facturaId: string, motivo: Motivo = '02') =>
  requestCancelacion(db, { facturaId, motivo, usuarioId: sa.id, now: now() });
const acuseOf = async (id: string) => {
  const request = new Request('http://trastienda.test/');
  return (
    await descargar({ request, params: { id, formato: 'acuse' }, context: {} } as unknown as LoaderFunctionArgs)
  ).text();
};
const estatus = async (id: string) =>
  (await db.selectFrom('factura').select('estatus').where('id', '=', id).executeTakeFirstOrThrow()).estatus;
const claimsOf = (venta: Venta) =>
  db.selectFrom('fiscalClaim').select(['kind', 'facturaId']).where('ordenId', 'in', venta.ordenIds).execute();
const says = (promise: Promise<unknown>) =>
  promise.then(
    () => '',
    (error: NotAllowed) => error.message,
  );
const there = async (uuid: string) => (await sandbox.facturacom.stamped()).find(({ UUID }) => UUID === uuid)?.estado;

describe('asking the SAT', () => {
  test('is about the document as its page showed it', async () => {
    const { id: facturaId } = await facturar(await buildVenta(db));
    const ask = (huella: string) =>
      requestCancelacion(db, { facturaId, motivo: '02', huella, usuarioId: sa.id, now: now() });
    // Its page showed a document that replaces it, which was cancelled since.
    const refused = (await ask('vigente·otra·01').catch((error: unknown) => error)) as Stale;
    expect(refused.message).toContain('Motivos que se admiten: aquí «como se veían», ahora «02, 03»');
    expect(await estatus(facturaId)).toBe('vigente');
    await ask(String(refused.choque.marcas.huella));
    await settle();
    expect(await estatus(facturaId)).toBe('cancelada');
  });

  test('at once: cancelled, the sale is free and may be invoiced again under another reference', async () => {
    const venta = await buildVenta(db);
    const factura = await facturar(venta);
    await pedir(factura.id);
    expect(await estatus(factura.id)).toBe('cancelando');
    expect(await claimsOf(venta)).toHaveLength(1);
    await settle();
    expect([await estatus(factura.id), await there(factura.uuid)]).toEqual(['cancelada', 'cancelada']);
    expect(await claimsOf(venta)).toEqual([]);
    const again = await facturar(venta);
    expect(await sandbox.facturacom.stamped(`${venta.numOrden}-2`)).toMatchObject([
      { UUID: again.uuid, estado: 'vigente' },
    ]);
  });

  test('in process: followed until the receiver accepts, and only then the sale is free', async () => {
    await sandbox.facturacom.cancelMode('in-process');
    const venta = await buildVenta(db, { precios: ['2320.00'] });
    const factura = await facturar(venta);
    await pedir(factura.id);
    await settle();
    expect(await estatus(factura.id)).toBe('cancelando');
    expect(await followCancelacion(db, factura.id)).toBe(false);
    expect(await claimsOf(venta)).toHaveLength(1);
    expect(await says(pedir(factura.id))).toBe('La cancelación de esta factura ya está en proceso.');
    await sandbox.facturacom.settleCancel(factura.uuid, 'accepted');
    expect(await followCancelaciones(db)).toBe(0);
    await sql`update cancelacion set revisada_en = now() - interval '10 minutes'`.execute(db);
    // While the PAC is paused nobody asks it.
    await db.transaction().execute((trx) => pauseConnection(trx, 'facturacom'));
    expect(await followCancelaciones(db)).toBe(0);
    await db.transaction().execute((trx) => resumeConnection(trx, 'facturacom'));
    expect(await followCancelaciones(db)).toBe(1);
    expect(await estatus(factura.id)).toBe('cancelada');
    expect(await claimsOf(venta)).toEqual([]);
    const row = await db
      .selectFrom('cancelacion')
      .select(['estado', 'respuesta', 'acuseId'])
      .where('facturaId', '=', factura.id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ estado: 'cancelada', respuesta: 'Cancelado con aceptación' });
    expect(row.acuseId).not.toBeNull();
    expect((await readCorrecciones(db, factura.id))?.cancelacion).toMatchObject({
      estado: 'cancelada',
      conAcuse: true,
    });
    expect(await acuseOf(factura.id)).toContain(`UUID="${factura.uuid}"`);
    // What the PAC did not hand over when it was asked is brought at the download, and kept.
    await db.updateTable('cancelacion').set({ acuseId: null }).where('facturaId', '=', factura.id).execute();
    expect(await acuseOf(factura.id)).toContain(`UUID="${factura.uuid}"`);
    expect((await readFacturaFile(db, factura.id, 'acuse'))?.archivo?.nombre).toBe(
      `acuse-${factura.serie}-${factura.folio}.xml`,
    );
    await expect(acuseOf((await facturar(await buildVenta(db))).id)).rejects.toMatchObject({ status: 404 });
  });

  test('the receiver says no: it stands, with the reason, and may be asked again', async () => {
    await sandbox.facturacom.cancelMode('in-process');
    const venta = await buildVenta(db);
    const factura = await facturar(venta);
    await pedir(factura.id);
    await settle();
    await sandbox.facturacom.settleCancel(factura.uuid, 'rejected');
    expect(await followCancelacion(db, factura.id)).toBe(true);
    expect(await estatus(factura.id)).toBe('vigente');
    expect(await claimsOf(venta)).toMatchObject([{ facturaId: factura.id }]);
    await sandbox.facturacom.cancelMode('at-once');
    await pedir(factura.id, '03');
    await settle();
    expect(await estatus(factura.id)).toBe('cancelada');
  });

  test('the PAC refuses: it stands and says why', async () => {
    await sandbox.facturacom.cancelMode('reject');
    const factura = await facturar(await buildVenta(db));
    const effect = await pedir(factura.id);
    await settle();
    expect(await effectView(db, effect)).toMatchObject({
      state: 'refused',
      reason: 'El SAT rechazó la solicitud de cancelación',
    });
    expect(await estatus(factura.id)).toBe('vigente');
    expect((await lineaOfFactura(db, factura.id)).map(({ texto }) => texto)).toContain('Cancelación rechazada');
  });

  test.each(['hang-after-doing', 'reset-after-doing', '500-after-doing', 'half-answer', 'html'])(
    'an answer lost on the way (%s) is looked up, and ends as the SAT has it',
    async (mode) => {
      const venta = await buildVenta(db);
      const factura = await facturar(venta);
      await sandbox.facturacom.failNext(mode, { times: 1, route: `POST /v4/cfdi40/${factura.uid}/cancel`, ms: 3_000 });
      const effect = await pedir(factura.id);
      await settle();
      const outcomes = (
        await db
          .selectFrom('effectAttempt')
          .select('outcome')
          .where('effectId', '=', effect)
          .where('phase', '=', 'ended')
          .orderBy('id')
          .execute()
      ).map(({ outcome }) => outcome);
      expect(outcomes[0]).toMatch(/unclear|not-sent/);
      expect([await estatus(factura.id), await there(factura.uuid)]).toEqual(['cancelada', 'cancelada']);
      expect(await claimsOf(venta)).toEqual([]);
    },
  );
});

describe('before asking', () => {
  test('what a credit note holds, what came too late and what has no substitute is not asked', async () => {
    const orden = await buildOrden(db, { fecha: new Date(Date.now() - 60_000) });
    const venta = { numOrden: orden.numOrden, ordenIds: [orden.id], total: '116.00' };
    const factura = await facturar(venta);
    expect(await says(pedir(factura.id, '01'))).toMatch(/primero se emite la factura que la sustituye/);
    expect(await says(pedir(factura.id, '04'))).toMatch(/no corresponde a este documento/);
    await db.updateTable('orden').set({ clase: 'devuelta' }).where('id', '=', orden.id).execute();
    const lote = await issueNotas(db, { mes: mes(), tabla: 'devueltas', usuarioId: sa.id, now: now() });
    await settle();
    expect(await says(pedir(factura.id))).toMatch(/El SAT dice|Tiene notas de crédito vigentes \(NC-\d+\)/);
    const nota = await db
      .selectFrom('factura')
      .innerJoin('effect', 'effect.id', 'factura.effectId')
      .select(['factura.id'])
      .where('batchId', '=', lote)
      .executeTakeFirstOrThrow();
    await pedir(nota.id);
    await settle();
    expect(await estatus(nota.id)).toBe('cancelada');
    expect(await db.selectFrom('notaCreditoOrden').selectAll().where('facturaId', '=', factura.id).execute()).toEqual(
      [],
    );
    await pedir(factura.id);
    await settle();
    expect(await estatus(factura.id)).toBe('cancelada');
  });

  test('the deadline is the month of the annual return', async () => {
    expect(plazoOfCancelacion(new Date('2026-01-01T05:59:59Z'), 'EKU9003173C9')).toBe('2026-03-31');
    expect(plazoOfCancelacion(new Date('2026-01-01T06:00:00Z'), 'RAOF850412K20')).toBe('2027-04-30');
    const factura = await facturar(await buildVenta(db));
    expect((await cancelableOf(db, factura.id, new Date('2030-01-01T00:00:00Z'))).impedimento).toMatch(
      /^El plazo para cancelar esta factura terminó el 31\/03\/20/,
    );
  });
});

test('a sale of a global whose factura is cancelled is the global’s again; a cancelled global frees its sales', async () => {
  const orden = await buildOrden(db, { fecha: new Date(Date.now() - 60_000), precio: '450.00' });
  const venta = { numOrden: orden.numOrden, ordenIds: [orden.id], total: '450.00' };
  const asked = generateGlobal(db, { mes: mes(), usuarioId: sa.id, now: now() });
  asked.catch(() => undefined);
  await runJobsUntil(
    async () =>
      await Promise.race([
        asked.then(() => true),
        new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 20)),
      ]),
  );
  await settle();
  const [inGlobal] = await claimsOf(venta);
  expect(inGlobal).toMatchObject({ kind: 'global' });
  const propia = await facturar(venta);
  expect(await claimsOf(venta)).toEqual([{ kind: 'individual', facturaId: propia.id }]);
  await pedir(propia.id);
  await settle();
  expect(await claimsOf(venta)).toEqual([inGlobal]);
  expect(await db.selectFrom('refacturacion').selectAll().where('ordenId', '=', orden.id).execute()).toEqual([]);
  await pedir(inGlobal!.facturaId!, '02');
  await settle();
  expect(await estatus(inGlobal!.facturaId!)).toBe('cancelada');
  expect(await claimsOf(venta)).toEqual([]);
});

describe('substitution', () => {
  test('the new one first, related 04; then the old one with motive 01; the sale is never without a factura', async () => {
    const venta = await buildVenta(db, { precios: ['1234.56', '10.01'] });
    const vieja = await facturar(venta);
    const borrador = await requireDraft(db, await openSustitucion(db, vieja.id, sa.id, now()), sa);
    expect(await openSustitucion(db, vieja.id, sa.id, now())).toBe(borrador.id);
    const revision = { ...borrador.revision!, usoCfdi: 'G01' };
    const create = () =>
      db
        .transaction()
        .execute((trx) =>
          createFactura(trx, borrador, { revision, diferenciaAceptada: false, usuarioId: sa.id, now: now() }),
        );
    const effectId = await create();
    expect(await create()).toBe(effectId);
    expect(await says(pedir(vieja.id))).toBe('Se está generando la factura que la sustituye. Espera a que termine.');
    expect(await claimsOf(venta)).toEqual([
      { kind: 'individual', facturaId: vieja.id },
      { kind: 'individual', facturaId: vieja.id },
    ]);
    await settle();
    const nueva = await db.selectFrom('factura').selectAll().where('effectId', '=', effectId).executeTakeFirstOrThrow();
    expect(nueva).toMatchObject({ sustituyeId: vieja.id, estatus: 'vigente', usoCfdi: 'G01', total: vieja.total });
    expect(readCfdiXml(await sandbox.facturacom.xml(nueva.uuid)).relacionados).toEqual([
      { tipoRelacion: '04', uuids: [vieja.uuid] },
    ]);
    expect([await estatus(vieja.id), await there(vieja.uuid), await there(nueva.uuid)]).toEqual([
      'cancelada',
      'cancelada',
      'vigente',
    ]);
    expect(await claimsOf(venta)).toEqual([
      { kind: 'individual', facturaId: nueva.id },
      { kind: 'individual', facturaId: nueva.id },
    ]);
    expect(
      await db
        .selectFrom('cancelacion')
        .select(['motivo', 'sustitutoId', 'estado'])
        .where('facturaId', '=', vieja.id)
        .execute(),
    ).toEqual([{ motivo: '01', sustitutoId: nueva.id, estado: 'cancelada' }]);
    const linea = await lineaOfFactura(db, vieja.id);
    expect(linea.map(({ texto }) => texto)).toEqual(
      expect.arrayContaining([
        'Timbrada',
        'Se timbró la factura que la sustituye',
        'Cancelación solicitada',
        'Cancelación: contestó',
        'Cancelada',
      ]),
    );
    expect(linea.find(({ texto }) => texto === 'Cancelación solicitada')).toMatchObject({ quien: 'Quien Factura' });
  });

  test('a new one that the PAC refuses leaves the old one as it was', async () => {
    const venta = await buildVenta(db);
    const vieja = await facturar(venta);
    const borrador = await requireDraft(db, await openSustitucion(db, vieja.id, sa.id, now()), sa);
    await sandbox.facturacom.failNext('refuse', { times: 1 });
    await db.transaction().execute((trx) =>
      createFactura(trx, borrador, {
        revision: borrador.revision!,
        diferenciaAceptada: false,
        usuarioId: sa.id,
        now: now(),
      }),
    );
    await settle();
    expect([await estatus(vieja.id), await there(vieja.uuid)]).toEqual(['vigente', 'vigente']);
    expect(await claimsOf(venta)).toEqual([{ kind: 'individual', facturaId: vieja.id }]);
    expect(await says(openDraft(db, venta.numOrden, sa.id))).toMatch(/ya está facturada con el folio/);
  });
});
