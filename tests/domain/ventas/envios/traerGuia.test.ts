import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { savePreferencias } from '~/domain/personal/preferencias.server';
import { textsUnderWay } from '~/platform/effects/effects.server';
import { sinGuia } from '~/domain/ventas/envios/guia';
import {
  guiaPorImprimir,
  readGuia,
  readGuiaFile,
  requestGuia,
  takeGuia,
} from '~/domain/ventas/envios/traerGuia.server';
import { readArchivo, retireLoose, storeArchivo } from '~/platform/files/archivos.server';
import { buildQuien } from '../../../support/builders/ordenes';
import { testDatabase } from '../../../support/db';
import { runUntilSettled } from '../../../support/jobs';
import { linkSandbox, type OrderFacts, type SaleFacts } from '../../../support/mercadolibre';
import { startTestSandbox } from '../../../support/sandbox';

process.env.EFFECT_PACE = '0.02';
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
let quien: Awaited<ReturnType<typeof buildQuien>>;

beforeAll(async () => {
  quien = await buildQuien(db);
  await linkSandbox(db, sandbox);
}, 60_000);
beforeEach(async () => {
  await sandbox.clear();
  await sql`delete from connection`.execute(db);
});

/** The shipment of a new sale, kept as its last reading would keep it. */
async function sell(scenario = 'simple', subestatus = 'ready_to_print') {
  const { ordenes } = await sandbox.mercadolibre.newOrden<SaleFacts>(scenario, { sinAviso: true });
  await advance(ordenes[0]!, 'ready_to_ship', subestatus);
  const { envioId: marketId } = await sandbox.mercadolibre.get<OrderFacts>(`/ordenes/${ordenes[0]}`);
  const { id } = await db
    .insertInto('envio')
    .values({
      market: 'ml',
      marketId: marketId!,
      estatus: 'ready_to_ship',
      subestatus: 'ready_to_print',
      modo: 'me2',
      fechaCreacion: new Date(),
      actualizadoEn: new Date(),
      datos: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, marketId: marketId!, orden: ordenes[0]! };
}
const advance = (orden: string, status: string, substatus: string | null) =>
  sandbox.mercadolibre.post(`/ordenes/${orden}/actualizar`, { status, substatus, sinAviso: true });
const ask = (envioId: string) => db.transaction().execute((trx) => requestGuia(trx, envioId, quien.id));
const settled = async (envioId: string) => {
  const { id } = await ask(envioId);
  await runUntilSettled();
  return db.selectFrom('effect').select(['state', 'reason', 'sends']).where('id', '=', id).executeTakeFirstOrThrow();
};

test('a label that can be printed is kept whole, with its hash, its number and its carrier, and is printed there', async () => {
  const { id, marketId } = await sell();
  expect(await settled(id)).toMatchObject({ state: 'done' });
  const guia = (await readGuia(db, id))!;
  expect(guia).toMatchObject({ numero: marketId, paqueteria: 'MEL Distribution' });
  const archivo = (await readArchivo(db, guia.archivoId!))!;
  expect(archivo).toMatchObject({ nombre: `guia-${marketId}.pdf`, tipo: 'application/pdf' });
  expect(archivo.contenido.toString('latin1')).toContain(`Mercado Envios ${marketId}`);
  expect(await sandbox.mercadolibre.get(`/envios/${marketId}`)).toMatchObject({ substatus: 'printed' });
});

test('an answer that was cut or lost is asked for again, and the same label is kept once', async () => {
  const { id } = await sell();
  await sandbox.mercadolibre.failNext('half-answer', { route: 'GET /shipment_labels' });
  expect(await settled(id)).toMatchObject({ state: 'done' });
  await sandbox.mercadolibre.failNext('reset-after-doing', { route: 'GET /shipment_labels' });
  expect(await settled(id)).toMatchObject({ state: 'done' });
  const kept = await db.selectFrom('guia').select('archivoId').where('envioId', '=', id).execute();
  expect(kept).toHaveLength(1);
});

test('the file of a process that ended before it was named is found by the cleaning, and no other is', async () => {
  const { id: envioId } = await sell();
  await ask(envioId);
  // What it does first: its answer is kept by itself, and then it is gone before the effect learnt of it.
  const contenido = Buffer.from('%PDF-1.4 perdida');
  const suelto = await storeArchivo(db, { nombre: 'guia-1.pdf', tipo: 'application/pdf', contenido });
  await sql`update archivo set creado_en = now() - interval '8 days'`.execute(db);
  await runUntilSettled();
  const { archivoId } = (await readGuia(db, envioId))!;
  expect(archivoId).not.toBe(suelto);
  expect(await retireLoose(db, 9, textsUnderWay), 'young ones may be about to be named').toBe(0);
  expect(await retireLoose(db, 7, textsUnderWay)).toBe(1);
  expect(await readArchivo(db, suelto)).toBeUndefined();
  expect(await readArchivo(db, archivoId!)).toBeDefined();
});

test('a file that an effect under way names is kept', async () => {
  const { id: envioId } = await sell();
  const { id } = await ask(envioId);
  const archivoId = await storeArchivo(db, { nombre: 'x.pdf', tipo: 'application/pdf', contenido: Buffer.from('x') });
  await sql`update archivo set creado_en = now() - interval '8 days' where id = ${archivoId}`.execute(db);
  await sql`update effect set result = ${JSON.stringify({ archivoId })} where id = ${id}`.execute(db);
  expect(await retireLoose(db, 7, textsUnderWay)).toBe(0);
  await sql`update effect set result = null where id = ${id}`.execute(db);
  expect(await retireLoose(db, 7, textsUnderWay)).toBe(1);
  await runUntilSettled();
});

test('a page of maintenance in place of a label is no label', async () => {
  const { id } = await sell();
  await sandbox.mercadolibre.failNext('html', { route: 'GET /shipment_labels' });
  expect(await settled(id)).toMatchObject({ state: 'done', sends: 2 });
});

describe('what the marketplace gives no label for says why, and nothing is kept', () => {
  test.each([
    ['simple', 'picked_up', 'La paquetería ya tiene el paquete: su guía ya no se imprime.'],
    ['simple', 'buffered', 'Mercado Libre todavía no libera la guía.'],
    ['full', 'in_warehouse', 'La venta sale del almacén de Mercado Libre.'],
    ['envioPropio', 'ready_to_print', 'El envío no lleva guía de Mercado Libre: lo mandamos nosotros.'],
  ])('%s, %s', async (scenario, subestatus, reason) => {
    const { id } = await sell(scenario, subestatus);
    expect(await settled(id)).toEqual({ state: 'refused', reason, sends: 1 });
    expect(await readGuia(db, id)).toBeUndefined();
  });

  test('its own words, where it says no to the label itself', async () => {
    const { id, marketId } = await sell();
    const message = `Shipment ${marketId} is BUFFERED`;
    await sandbox.mercadolibre.failNext('refuse', { route: 'GET /shipment_labels', code: 'BUFFERED', message });
    expect(await settled(id)).toMatchObject({ state: 'refused', reason: `Mercado Libre no da la guía (${message})` });
  });
});

test('what we know to have left asks nobody', async () => {
  const { id } = await sell();
  await db.updateTable('envio').set({ estatus: 'shipped', subestatus: null }).where('id', '=', id).execute();
  await expect(ask(id)).rejects.toThrow('El paquete ya salió o su envío terminó');
});

test('two people who ask at once get one call', async () => {
  const { id } = await sell();
  const [one, other] = [await ask(id), await ask(id)];
  expect(other).toEqual({ id: one.id, created: false });
});

describe('a person who prints in ZPL', () => {
  const take = (envioId: string) => db.transaction().execute((trx) => takeGuia(trx, envioId, quien.id));
  const printed = (envioId: string) => guiaPorImprimir(db, envioId, quien.id);
  beforeEach(() => savePreferencias(db, quien.id, { etiquetas: 'zpl' }));
  afterEach(async () => {
    await savePreferencias(db, quien.id, { etiquetas: 'pdf' });
    await sandbox.mercadolibre.post('/interruptores', { zpl: 'zip' });
  });

  test.each(['zip', 'suelto'])(
    'gets the label in ZPL, which came as %s, and its PDF is there for suppliers',
    async (zpl) => {
      await sandbox.mercadolibre.post('/interruptores', { zpl });
      const { id, marketId } = await sell();
      expect(await take(id)).toBeNull();
      await runUntilSettled();
      const guia = (await printed(id))!;
      expect(guia).toMatchObject({ zpl: true, numero: marketId });
      const file = (await readGuiaFile(db, guia.id, 'zpl'))!;
      expect(file).toMatchObject({ nombre: `guia-${marketId}.zpl`, archivo: { tipo: 'application/zpl' } });
      expect(file.archivo.contenido.toString()).toMatch(
        new RegExp(`^\\^XA.*Mercado Envios ${marketId}.*\\^XZ\\s*$`, 's'),
      );
      expect((await readGuiaFile(db, guia.id, 'pdf'))!.archivo.tipo).toBe('application/pdf');
      await savePreferencias(db, quien.id, { etiquetas: 'pdf' });
      expect(await printed(id)).toMatchObject({ id: guia.id, zpl: false });
    },
  );

  test('waits for it where only the PDF was brought before, and the label stays one', async () => {
    const { id } = await sell();
    await db.transaction().execute((trx) => requestGuia(trx, id, null));
    await runUntilSettled();
    expect(await printed(id)).toMatchObject({ zpl: false });
    expect(await take(id)).toBeNull();
    expect(await printed(id), 'on its way').toBeNull();
    await runUntilSettled();
    expect(await printed(id)).toMatchObject({ zpl: true });
    expect(await take(id)).toMatchObject({ zpl: true });
    expect(await db.selectFrom('guia').select('id').where('envioId', '=', id).execute()).toHaveLength(1);
  });

  test('gets the PDF where the marketplace gives no ZPL, and no parcel waits', async () => {
    await sandbox.mercadolibre.post('/interruptores', { zpl: 'niega' });
    const { id } = await sell();
    expect(await settled(id)).toMatchObject({ state: 'done', sends: 1 });
    expect(await printed(id)).toMatchObject({ zpl: false });
  });

  test('gets the PDF that is here of a parcel whose marketplace prints it no more', async () => {
    const { id } = await sell();
    await db.transaction().execute((trx) => requestGuia(trx, id, null));
    await runUntilSettled();
    await db.updateTable('envio').set({ subestatus: 'picked_up' }).where('id', '=', id).execute();
    expect(await take(id)).toMatchObject({ zpl: false });
  });
});

const LISTO = { estatus: 'ready_to_ship', subestatus: 'printed', modo: 'me2', tipoLogistico: 'cross_docking' };

test('which shipments wait for their label, and which will never have one', () => {
  expect(sinGuia('ml', LISTO)).toBeNull();
  expect(sinGuia('ml', { ...LISTO, subestatus: null })).toBeNull();
  expect(sinGuia('ml', { ...LISTO, estatus: 'handling', subestatus: null })).toMatchObject({ espera: true });
  expect(sinGuia('ml', { ...LISTO, estatus: 'pending', subestatus: 'buffered' })).toMatchObject({ espera: true });
  expect(sinGuia('ml', { ...LISTO, estatus: 'delivered' })).toMatchObject({ espera: false });
  expect(sinGuia('amz', LISTO)).toMatchObject({ espera: false });
});
