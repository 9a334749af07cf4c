import { ventasSinNota } from '~/domain/facturacion/notasCredito/notasCredito.server';
import { describe, expect, test } from 'vitest';
import { requestCancelacion } from '~/domain/facturacion/cancelacion/requestCancelacion.server';
import { followCancelacion } from '~/domain/facturacion/cancelacion/followCancelaciones.server';
import { buildOrden } from '../../../support/builders/mes';
import { runJobsUntil } from '../../../support/jobs';
import { settle } from '../../../support/pac';
import { openDocumentos } from '../../../support/documentos';

const {
  db,
  sandbox,
  sa,
  mes,
  facturar,
  cancelar,
  global,
  notas,
  ventaDe,
  unaVenta,
  estatus,
  claimsOf,
  isFree,
  vivos,
  notaOf,
  says,
} = await openDocumentos();
const now = () => new Date();

describe('a credit note that stops standing after its customer’s factura was cancelled', () => {
  async function credited(precio: string) {
    const venta = await unaVenta(precio);
    await global();
    const [enGlobal] = await claimsOf(venta);
    const propia = await facturar(venta);
    return { venta, enGlobal: enGlobal!, propia };
  }
  /** Its note is on its way when the customer's factura falls; the PAC is well again. */
  async function fallenMeanwhile(precio: string) {
    const { venta, enGlobal, propia } = await credited(precio);
    await sandbox.facturacom.failNext('503', { times: 500, route: 'POST /v4/cfdi40/create' });
    await notas('refacturacion', { wait: false });
    await requestCancelacion(db, { facturaId: propia.id, motivo: '02', usuarioId: sa.id, now: now() });
    await runJobsUntil(async () => (await estatus(propia.id)) === 'cancelada');
    expect(await claimsOf(venta)).toEqual([enGlobal]);
    await sandbox.clear();
    return { venta, enGlobal };
  }

  test('cancelled: the sale is the global’s again', async () => {
    const { venta, enGlobal, propia } = await credited('480.00');
    await notas('refacturacion');
    await cancelar(propia.id);
    expect(await isFree(venta)).toBe(true);
    await cancelar((await notaOf(venta)).id);
    expect(await claimsOf(venta)).toEqual([enGlobal]);
    expect(await db.selectFrom('refacturacion').selectAll().where('ordenId', 'in', venta.ordenIds).execute()).toEqual(
      [],
    );
    expect(await vivos(venta)).toEqual([enGlobal.facturaId]);
    // Its customer may ask for a factura once more, and the global owes once more.
    const otra = await facturar(venta);
    await notas('refacturacion');
    expect(await claimsOf(venta)).toEqual([{ kind: 'individual', facturaId: otra.id }]);
    expect((await notaOf(venta)).estatus).toBe('vigente');
  });

  test('refused by the PAC while that happened: the sale was never free', async () => {
    const { venta, enGlobal } = await fallenMeanwhile('481.00');
    await sandbox.facturacom.failNext('refuse', { times: 1, route: 'POST /v4/cfdi40/create' });
    await settle();
    expect(
      await db.selectFrom('notaCreditoOrden').selectAll().where('ordenId', 'in', venta.ordenIds).execute(),
    ).toEqual([]);
    expect(await claimsOf(venta)).toEqual([enGlobal]);
    expect(await db.selectFrom('refacturacion').selectAll().where('ordenId', 'in', venta.ordenIds).execute()).toEqual(
      [],
    );
  });

  test('stamped after that happened: only now the sale is free', async () => {
    const { venta } = await fallenMeanwhile('482.00');
    await settle();
    expect((await notaOf(venta)).estatus).toBe('vigente');
    expect(await isFree(venta)).toBe(true);
  });

  test('while its cancellation is in process the global holds the sale; rejected, the sale is free again', async () => {
    const { venta, enGlobal, propia } = await credited('483.00');
    await notas('refacturacion');
    await cancelar(propia.id);
    await sandbox.facturacom.cancelMode('in-process');
    const nota = await notaOf(venta);
    await cancelar(nota.id);
    expect(await claimsOf(venta)).toEqual([enGlobal]);
    await sandbox.facturacom.settleCancel(nota.uuid, 'rejected');
    await followCancelacion(db, nota.id);
    expect(await estatus(nota.id)).toBe('vigente');
    expect(await isFree(venta)).toBe(true);
  });

  test('while its cancellation is in process its customer may ask for a factura again; that of a sale nobody holds is the global’s at the end', async () => {
    const [suya, suelta] = [await credited('486.00'), await credited('487.00')];
    await notas('refacturacion');
    for (const { propia } of [suya, suelta]) await cancelar(propia.id);
    await sandbox.facturacom.cancelMode('in-process');
    const enCamino = [await notaOf(suya.venta), await notaOf(suelta.venta)];
    for (const { id } of enCamino) await cancelar(id);
    const nueva = await facturar(suya.venta);
    await db.deleteFrom('fiscalClaim').where('ordenId', 'in', suelta.venta.ordenIds).execute();
    for (const { id, uuid } of enCamino) {
      await sandbox.facturacom.settleCancel(uuid, 'accepted');
      await followCancelacion(db, id);
    }
    expect(await claimsOf(suya.venta)).toEqual([{ kind: 'individual', facturaId: nueva.id }]);
    expect(
      await db.selectFrom('refacturacion').select('facturaId').where('ordenId', 'in', suya.venta.ordenIds).execute(),
    ).toEqual([{ facturaId: nueva.id }]);
    expect(await claimsOf(suelta.venta)).toEqual([suelta.enGlobal]);
  });

  test('is not cancelled while another global has the sale; for a new factura of the customer the first global owes a note', async () => {
    const { venta, propia } = await credited('484.00');
    await notas('refacturacion');
    await cancelar(propia.id);
    await global();
    const nota = await notaOf(venta);
    expect(await says(cancelar(nota.id))).toMatch(
      /^La venta \d+ de esta nota ya está en la factura global F-\d+: sin la nota quedaría facturada dos veces\./,
    );
    expect(await estatus(nota.id)).toBe('vigente');

    const suya = await credited('485.00');
    await notas('refacturacion');
    await cancelar(suya.propia.id);
    const nueva = await facturar(suya.venta);
    await cancelar((await notaOf(suya.venta)).id);
    expect(await claimsOf(suya.venta)).toEqual([{ kind: 'individual', facturaId: nueva.id }]);
    expect(
      await db
        .selectFrom('refacturacion')
        .select(['globalId', 'facturaId'])
        .where('ordenId', 'in', suya.venta.ordenIds)
        .execute(),
    ).toEqual([{ globalId: suya.enGlobal.facturaId, facturaId: nueva.id }]);
  });
});

describe('a sale whose number became that of a cart after its global', () => {
  const rename = (id: string, pack: string) =>
    db.updateTable('orden').set({ numOrden: pack, packId: pack }).where('id', '=', id).execute();
  let packs = 0;
  const newPack = () => `2000${Date.now()}${++packs}`;

  test('gets the note its global owes', async () => {
    const venta = await unaVenta('480.00');
    await global();
    const pack = newPack();
    await rename(venta.ordenIds[0]!, pack);
    await facturar({ ...venta, numOrden: pack });
    await notas('refacturacion');
    const credited = await db
      .selectFrom('notaCreditoOrden')
      .select('importe')
      .where('ordenId', 'in', venta.ordenIds)
      .execute();
    expect(credited.map(({ importe }) => importe.toFixed(2))).toEqual(['480.00']);
  });

  test('and that has a sister of the same global under another number: each gives back its own', async () => {
    const [una, otra] = [await unaVenta('100.00'), await unaVenta('250.50')];
    await global();
    const pack = newPack();
    await rename(una.ordenIds[0]!, pack);
    await rename(otra.ordenIds[0]!, pack);
    await db.updateTable('orden').set({ clase: 'devuelta' }).where('id', 'in', otra.ordenIds).execute();
    await notas('devueltas');
    await db.updateTable('orden').set({ clase: 'devuelta' }).where('id', 'in', una.ordenIds).execute();
    await notas('devueltas');
    const credited = await db
      .selectFrom('notaCreditoOrden')
      .select('importe')
      .where('ordenId', 'in', [...una.ordenIds, ...otra.ordenIds])
      .execute();
    expect(credited.map(({ importe }) => importe.toFixed(2)).toSorted()).toEqual(['100.00', '250.50']);
  });

  test('and whose concept nobody recognises is told aloud, not left out in silence', async () => {
    const fecha = new Date(Date.now() - 60_000);
    const pack = newPack();
    const [primera, segunda] = [
      await buildOrden(db, { fecha, precio: '300.00', packId: pack }),
      await buildOrden(db, { fecha, precio: '200.00', packId: pack }),
    ];
    await global();
    // The second is in the concept of the first, under a number that it has no longer.
    await rename(segunda.id, newPack());
    await db.updateTable('orden').set({ clase: 'devuelta' }).where('id', '=', segunda.id).execute();
    expect(await says(notas('devueltas'))).toMatch(/ningún renglón de su factura global es de esta venta/);
    expect(await ventasSinNota(db, mes)).toContainEqual(expect.objectContaining({ motivo: 'sinConcepto' }));
    expect(await vivos(ventaDe(primera))).toHaveLength(1);
  });
});
