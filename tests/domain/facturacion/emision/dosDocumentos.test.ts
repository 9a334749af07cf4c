import { describe, expect, test } from 'vitest';
import { readCorrecciones } from '~/domain/facturacion/cancelacion/correcciones.server';
import { facturasPorAtender } from '~/domain/facturacion/cancelacion/porAtender.server';
import { followCancelacion } from '~/domain/facturacion/cancelacion/followCancelaciones.server';
import { facturasList } from '~/domain/facturacion/emision/listFacturas.server';
import { listasDelMes } from '~/domain/facturacion/mes/mesLists.server';
import { buildVenta, type Venta } from '../../../support/builders/ventas';
import { openDocumentos } from '../../../support/documentos';

const {
  db,
  sandbox,
  mes,
  facturar,
  sustituir,
  cancelar,
  global,
  notas,
  unaVenta,
  estatus,
  claimsOf,
  isFree,
  vivos,
  notaOf,
  texts,
} = await openDocumentos();

/** A factura whose substitute was stamped and that the receiver did not let go. */
async function rechazada(venta: Venta) {
  await sandbox.facturacom.cancelMode('in-process');
  const vieja = await facturar(venta);
  const nueva = await sustituir(vieja.id);
  await sandbox.facturacom.settleCancel(vieja.uuid, 'rejected');
  expect(await followCancelacion(db, vieja.id)).toBe(true);
  await sandbox.facturacom.cancelMode('at-once');
  return { vieja, nueva };
}

describe('a substitute that is cancelled', () => {
  test('while the one it replaced stands: the sale is the old one’s, and no global takes it', async () => {
    const venta = await buildVenta(db, { precios: ['2320.00'] });
    const { vieja, nueva } = await rechazada(venta);
    await cancelar(nueva.id);
    expect([await estatus(vieja.id), await estatus(nueva.id)]).toEqual(['vigente', 'cancelada']);
    expect(await claimsOf(venta)).toEqual([{ kind: 'individual', facturaId: vieja.id }]);
    expect(await isFree(venta)).toBe(false);
    await global();
    expect(await vivos(venta)).toEqual([vieja.id]);
    expect(await texts(vieja.id)).toContain('Las ventas vuelven a esta factura');
    await cancelar(vieja.id);
    expect(await claimsOf(venta)).toEqual([]);
  });

  test('while the old one is still being cancelled: it holds the sale until that is known', async () => {
    await sandbox.facturacom.cancelMode('in-process');
    const venta = await buildVenta(db, { precios: ['2320.00'] });
    const vieja = await facturar(venta);
    const nueva = await sustituir(vieja.id);
    await sandbox.facturacom.cancelMode('at-once');
    await cancelar(nueva.id);
    expect(await estatus(vieja.id)).toBe('cancelando');
    expect(await claimsOf(venta)).toEqual([{ kind: 'individual', facturaId: vieja.id }]);
    await sandbox.facturacom.settleCancel(vieja.uuid, 'accepted');
    await followCancelacion(db, vieja.id);
    expect(await estatus(vieja.id)).toBe('cancelada');
    expect(await claimsOf(venta)).toEqual([]);
  });

  test('of a sale that a global still owes a note for: the note is owed because of the old one', async () => {
    const venta = await unaVenta('2330.00');
    await global();
    const { vieja, nueva } = await rechazada(venta);
    await cancelar(nueva.id);
    expect(await claimsOf(venta)).toEqual([{ kind: 'individual', facturaId: vieja.id }]);
    expect(
      await db.selectFrom('refacturacion').select('facturaId').where('ordenId', 'in', venta.ordenIds).execute(),
    ).toEqual([{ facturaId: vieja.id }]);
    await notas('refacturacion');
    expect((await notaOf(venta)).estatus).toBe('vigente');
  });

  test('after two rejections in a row the sale goes back to the first, past the one that was cancelled', async () => {
    const venta = await buildVenta(db, { precios: ['2340.00'] });
    const { vieja, nueva } = await rechazada(venta);
    const ultima = await sustituir(nueva.id);
    expect(await estatus(nueva.id)).toBe('cancelada');
    expect((await readCorrecciones(db, ultima.id))!.otraVigente).toMatchObject({ id: vieja.id, sobra: false });
    await cancelar(ultima.id);
    expect(await claimsOf(venta)).toEqual([{ kind: 'individual', facturaId: vieja.id }]);
  });
});

describe('two that stand', () => {
  test('are told in both, on the list and above it, until one is cancelled', async () => {
    const venta = await buildVenta(db, { precios: ['2350.00'] });
    const { vieja, nueva } = await rechazada(venta);
    const [folioViejo, folioNuevo] = [vieja, nueva].map(({ serie, folio }) => `${serie}-${folio}`);
    const marks = async () =>
      (
        await facturasList.window(db, facturasList.parse(new URLSearchParams({ q: venta.numOrden })), {
          indice: 0,
          total: 2,
          corte: null,
        })
      )
        .map(({ folio, otraVigente }) => [folio, otraVigente])
        .toSorted();
    expect(await readCorrecciones(db, vieja.id)).toMatchObject({
      otraVigente: { id: nueva.id, folio: folioNuevo, sobra: true },
      cancelable: { motivos: ['01'], impedimento: null },
    });
    expect((await readCorrecciones(db, nueva.id))!.otraVigente).toEqual({
      id: vieja.id,
      folio: folioViejo,
      sobra: false,
    });
    expect(await texts(nueva.id)).toContain('Dos facturas vigentes de la misma venta');
    expect(await marks()).toEqual(
      [
        [folioViejo, folioNuevo],
        [folioNuevo, folioViejo],
      ].toSorted(),
    );
    expect(await facturasPorAtender(db)).toContainEqual(
      expect.objectContaining({
        id: vieja.id,
        folio: folioViejo,
        motivo: 'dosVigentes',
        otra: folioNuevo,
        borrador: null,
      }),
    );
    await cancelar(vieja.id, '01');
    expect(await estatus(vieja.id)).toBe('cancelada');
    expect(await marks()).toEqual(
      [
        [folioViejo, null],
        [folioNuevo, null],
      ].toSorted(),
    );
    expect((await facturasPorAtender(db)).map(({ id }) => id)).not.toContain(vieja.id);
  });

  test('of a sale that came back are credited each, once', async () => {
    const venta = await unaVenta('2900.00');
    const { vieja, nueva } = await rechazada(venta);
    await db.updateTable('orden').set({ clase: 'devuelta' }).where('id', 'in', venta.ordenIds).execute();
    const filtro = listasDelMes.devueltas.parse(new URLSearchParams({ mes, q: venta.numOrden }));
    expect(await listasDelMes.devueltas.totals(db, filtro)).toMatchObject({
      registros: 1,
      total: expect.objectContaining({}),
    });
    expect(String((await listasDelMes.devueltas.totals(db, filtro)).total)).toBe('5800.00');
    expect(await listasDelMes.devueltas.window(db, filtro, { indice: 0, total: 1, corte: null })).toMatchObject([
      { folio: `${vieja.serie}-${vieja.folio}, ${nueva.serie}-${nueva.folio}` },
    ]);
    await notas('devueltas');
    const credited = await db
      .selectFrom('notaCreditoOrden')
      .select(['facturaId', 'importe'])
      .where('ordenId', 'in', venta.ordenIds)
      .orderBy('facturaId')
      .execute();
    expect(credited.map(({ facturaId, importe }) => [facturaId, importe.toFixed(2)])).toEqual([
      [vieja.id, '2900.00'],
      [nueva.id, '2900.00'],
    ]);
    expect((await readCorrecciones(db, nueva.id))!.otraVigente).toBeNull();
    expect((await listasDelMes.devueltas.totals(db, filtro)).registros).toBe(0);
  });

  test('a global that owes a note because its customer has a factura is not credited by the list of returns too', async () => {
    const venta = await unaVenta('2910.00');
    await global();
    const propia = await facturar(venta);
    await db.updateTable('orden').set({ clase: 'devuelta' }).where('id', 'in', venta.ordenIds).execute();
    await notas('devueltas');
    expect(
      await db.selectFrom('notaCreditoOrden').select('facturaId').where('ordenId', 'in', venta.ordenIds).execute(),
    ).toEqual([{ facturaId: propia.id }]);
    await notas('refacturacion');
    expect(
      await db.selectFrom('notaCreditoOrden').select('facturaId').where('ordenId', 'in', venta.ordenIds).execute(),
    ).toHaveLength(2);
  });
});
