import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NotAllowed, Stale } from '~/core/errors';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { resolveAsAbsent, resolveAsExisting } from '~/platform/effects/resolve.server';
import { cancelGuia, checkReembolsos, reviewReembolso } from '~/domain/ventas/envios/cancelGuia.server';
import { buyGuia } from '~/domain/ventas/envios/buyGuia.server';
import { contenidoOf, quoteGuia, listCompradas, medidasOf } from '~/domain/ventas/envios/guiaComprada.server';
import { viewGuia } from '~/domain/ventas/envios/viewGuia.server';
import { readPropio } from '~/domain/ventas/envios/propios.server';
import { savePaqueteria } from '~/domain/ventas/envios/savePropio.server';
import { readGuia } from '~/domain/ventas/envios/traerGuia.server';
import { readArchivo } from '~/platform/files/archivos.server';
import { fuenteAmz } from '~/domain/mercados/amz/fuente.server';
import { guiaOfPedido } from '~/domain/compras/pedidos/internal/guia.server';
import { readCronologia } from '~/domain/ventas/ordenes/cronologia.server';
import { readOrden } from '~/domain/ventas/ordenes/detalleOrden.server';
import { syncVentas } from '~/domain/sync/syncVentas.server';
import { linkSandboxAmazon } from '../../../support/amazon';
import { buildQuien } from '../../../support/builders/ordenes';
import { testDatabase } from '../../../support/db';
import { conRemitente, type GuiaFacts, PAQUETE, sellPorEnviar } from '../../../support/guiasAmz';
import { passSend, runUntilSettled } from '../../../support/jobs';
import { startTestSandbox } from '../../../support/sandbox';

process.env.EFFECT_PACE = '0.02';
const sandbox = await startTestSandbox({
  mercadolibre: { orders: 0 },
  appUrl: process.env.APP_URL,
  amazon: { ventas: 0, ritmo: 100_000 },
});
const amz = sandbox.proveedor('amazon');
const { db } = testDatabase();
let quien: Awaited<ReturnType<typeof buildQuien>>;

beforeAll(async () => {
  // The account's limits are told with each answer, and are higher than those that are documented.
  await amz.post('/interruptores', { limite: 'conEncabezado' });
  quien = await buildQuien(db);
  await linkSandboxAmazon(db, sandbox);
});
beforeEach(async () => {
  await sandbox.clear();
  await amz.post('/interruptores', {
    limite: 'conEncabezado',
    guias: 'permitidas',
    paqueteriasDeGuias: 'hay',
    terminos: 'aceptados',
    tarifa: 'MXN',
    precioDeGuia: 'igual',
    etiqueta: 'conLaCompra',
    sumaDeEtiqueta: 'delDocumento',
    datosDePersonas: 'conFicha',
    sobreDeFicha: 'sin',
    paqueteComprado: 'PENDING',
    paquetes: 'alMomento',
    reembolso: 'RefundPending',
  });
  await sql`delete from connection`.execute(db);
  await conRemitente(db);
});

type Venta = Awaited<ReturnType<typeof sellPorEnviar>>;
const sell = (escenario?: string) => sellPorEnviar(db, sandbox, escenario);
const formOf = async ({ id }: Venta) => ({ orden: id, huella: (await readPropio(db, id))!.huella, ...PAQUETE });
const quote = async (venta: Venta) => quoteGuia(db, await formOf(venta));
const ESTAFETA = { servicio: 'ESTAFETA_TERRESTRE', nombre: 'Terrestre', paqueteria: 'Estafeta', precio: '149.00' };

async function buy(venta: Venta, elegido = ESTAFETA) {
  const form = { ...(await formOf(venta)), ...elegido };
  const { id } = await db.transaction().execute((trx) => buyGuia(trx, form, quien.id));
  return id;
}
async function give(venta: Venta) {
  const { orden, huella } = await formOf(venta);
  const { id } = await db.transaction().execute((trx) => cancelGuia(trx, { orden, huella }, quien.id));
  return id;
}
/** The sale is read again. */
async function again({ numOrden }: Venta) {
  await amz.post(`/ventas/${numOrden}/toca`, {});
  await syncVentas(db, fuenteAmz, { kind: 'sweep' });
}
const settled = () => runUntilSettled({ connection: 'amazon' });
const effect = (id: string) =>
  db.selectFrom('effect').select(['state', 'reason', 'detail', 'sends']).where('id', '=', id).executeTakeFirstOrThrow();
const there = async ({ numOrden }: Venta) =>
  (await amz.get<GuiaFacts[]>('/guias')).filter((one) => one.venta === numOrden);
const envio = ({ envioId }: Venta) =>
  db
    .selectFrom('envio')
    .select(['guia', 'paqueteria', 'estatus', 'subestatus', sql<string | null>`costo::text`.as('costo')])
    .where('id', '=', envioId)
    .executeTakeFirstOrThrow();

test('a sale of Amazon that we send comes with the parts of its address that suppliers ask for', async () => {
  const { envioId } = await sell();
  const envio = await db
    .selectFrom('envio')
    .select(['calle', 'numeroE', 'colonia', 'cp', 'telefono'])
    .where('id', '=', envioId)
    .executeTakeFirstOrThrow();
  expect(envio).toMatchObject({ calle: 'Calle Ficticia', numeroE: '120', colonia: 'Ejemplo' });
  expect([envio.cp, envio.telefono]).toEqual([expect.stringMatching(/^\d{5}$/), expect.stringMatching(/^\d{10}$/)]);
});

describe('what a label would cost', () => {
  test('is told by carrier, cheapest first, with its promise, and what cannot be bought from here says why', async () => {
    const { servicios, rechazados, sinTerminos, sinPermiso } = await quote(await sell());
    expect(servicios.map(({ paqueteria, precio, impide }) => [paqueteria, precio.toFixed(2), impide])).toEqual([
      ['Estafeta', '149.00', null],
      ['FedEx', '174.50', null],
      ['DHL', '261.00', 'Pide datos que solo se capturan en Seller Central.'],
    ]);
    expect(servicios[0]!.desde!.getTime()).toBeLessThan(servicios[0]!.hasta!.getTime());
    expect(rechazados).toEqual([{ nombre: 'Estafeta Día siguiente', motivo: 'No llega a ese código postal.' }]);
    expect([sinTerminos, sinPermiso]).toEqual([[], false]);
    expect(await amz.get('/guias')).toEqual([]);
  });

  test('is an answer also where there is no carrier, no permission or no terms, and in another currency nothing is for sale', async () => {
    const venta = await sell();
    await amz.post('/interruptores', { paqueteriasDeGuias: 'ninguna' });
    expect(await quote(venta)).toMatchObject({ servicios: [], sinPermiso: false, sinTerminos: [] });
    await amz.post('/interruptores', { paqueteriasDeGuias: 'caidas' });
    expect(await quote(venta)).toMatchObject({ servicios: [], suspendidas: ['Estafeta'] });
    await amz.post('/interruptores', { paqueteriasDeGuias: 'hay', terminos: 'sinAceptar' });
    expect(await quote(venta)).toMatchObject({
      servicios: [],
      sinTerminos: ['Estafeta', 'FedEx', 'DHL', 'Paquetexpress'],
    });
    await amz.post('/interruptores', { terminos: 'aceptados', guias: '403' });
    expect(await quote(venta)).toMatchObject({ servicios: [], sinPermiso: true });
    await amz.post('/interruptores', { guias: 'permitidas', tarifa: 'USD' });
    expect((await quote(venta)).servicios.map(({ impide }) => impide)).toEqual(Array(3).fill('Cobra en USD.'));
  });

  test('is not asked of a sale that Amazon sends, that was cancelled there, or that left with a label of ours', async () => {
    const venta = await sell();
    await amz.post(`/ventas/${venta.numOrden}/cancela`, {});
    await expect(quote(venta)).rejects.toThrow('La venta se canceló en Amazon.');
    const ajena = { orden: (await sell('amazon')).id, huella: 'nuevo', ...PAQUETE };
    await expect(quoteGuia(db, ajena)).rejects.toThrow(NotAllowed);
    const propia = await sell();
    const { orden, huella } = await formOf(propia);
    const datos = { estatus: 'enPreparacion', paqueteria: 'Estafeta', guia: '7001', paqueteriaUrl: undefined } as const;
    await db.transaction().execute((trx) => savePaqueteria(trx, { orden, huella, ...datos }, quien.id));
    await expect(quote(propia)).rejects.toThrow('El envío ya va con la guía 7001.');
  });

  test('wants to know from where it leaves, and says that nothing was bought when Amazon is silent', async () => {
    const venta = await sell();
    await amz.failNext('reset-after-doing', { route: 'POST /mfn/v0/eligible' });
    await expect(quote(venta)).rejects.toThrow('Amazon no contesta. No se compró nada');
    await db.deleteFrom('remitente').execute();
    await expect(quote(venta)).rejects.toThrow('Falta el remitente');
  });
});

describe('a label', () => {
  test('is bought once, kept as any label, and paid for in the cost of its shipment', async () => {
    const venta = await sell();
    const id = await buy(venta);
    await settled();
    expect(await effect(id)).toMatchObject({ state: 'done', sends: 1 });
    const [sold, ...more] = await there(venta);
    expect(more).toEqual([]);
    expect(sold).toMatchObject({ centavos: 14_900, estado: 'Purchased', remitente: 'Demo Tienda' });
    expect(sold!.piezas.map(({ Quantity }) => Quantity)).toEqual([2]);
    const guia = (await readGuia(db, venta.envioId))!;
    expect(guia).toMatchObject({ numero: sold!.guia, paqueteria: 'Estafeta' });
    const archivo = (await readArchivo(db, guia.archivoId!))!;
    expect(archivo).toMatchObject({ nombre: `guia-${sold!.guia}.pdf`, tipo: 'application/pdf' });
    expect(archivo.contenido.toString('latin1')).toContain(`Amazon ${sold!.guia}`);
    expect(await envio(venta)).toMatchObject({ guia: sold!.guia, paqueteria: 'Estafeta', costo: '149.00' });
    expect(await listCompradas(db, venta.envioId)).toMatchObject([{ estado: 'comprada', servicio: 'Terrestre' }]);
    const story = await readCronologia(db, (await readOrden(db, venta.id))!, EFFECTS);
    expect(story.find(({ titulo }) => titulo === 'Se compró la guía')?.detalle).toContain('Estafeta');
    // The same articles make the same package.
    expect(await medidasOf(db, await contenidoOf(db, venta.envioId))).toEqual({
      peso: 1_500,
      largo: 30,
      ancho: 20,
      alto: 15,
    });
  });

  test('waits in preparation until its carrier has it, and Amazon is told nothing of a number that it sold', async () => {
    const venta = await sell();
    await buy(venta);
    await settled();
    await again(venta);
    expect(await envio(venta)).toMatchObject({ estatus: 'ready_to_ship', subestatus: 'printed', costo: '149.00' });
    const { orden, huella } = await formOf(venta);
    const guia = (await envio(venta)).guia!;
    const datos = { estatus: 'enCamino', paqueteria: 'Estafeta', guia, paqueteriaUrl: undefined } as const;
    await db.transaction().execute((trx) => savePaqueteria(trx, { orden, huella, ...datos }, quien.id));
    const told = await db.selectFrom('effect').select('id').where('type', '=', 'amz.shipment').execute();
    expect(told).toEqual([]);
  });

  test('is not bought twice: not by two people, not after it was bought, not from a screen that is old', async () => {
    const venta = await sell();
    const form = { ...(await formOf(venta)), ...ESTAFETA };
    const both = await Promise.allSettled(
      [1, 2].map(() => db.transaction().execute((trx) => buyGuia(trx, form, quien.id))),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await settled();
    await expect(db.transaction().execute((trx) => buyGuia(trx, form, quien.id))).rejects.toThrow(Stale);
    await expect(buy(venta)).rejects.toThrow('El envío ya tiene una guía comprada.');
    expect(await there(venta)).toHaveLength(1);
  });

  test('is not bought dearer than it was shown, nor where its service is gone', async () => {
    for (const [precioDeGuia, porque] of [
      ['sube', 'Terrestre subió de $149.00 a $159.00: cotiza otra vez.'],
      ['seRetira', 'Estafeta ya no ofrece Terrestre: cotiza otra vez.'],
    ] as const) {
      const venta = await sell();
      await amz.post('/interruptores', { precioDeGuia });
      await quote(venta);
      const id = await buy(venta);
      await settled();
      expect(await effect(id)).toMatchObject({ state: 'refused', reason: porque });
      expect(await there(venta)).toEqual([]);
    }
  });

  test('that was paid for and came damaged or late is asked for until it is whole', async () => {
    for (const etiqueta of ['danada', 'despues']) {
      const venta = await sell();
      await amz.post('/interruptores', { etiqueta });
      const id = await buy(venta);
      if (etiqueta === 'danada') setTimeout(() => void amz.post('/interruptores', { etiqueta: 'conLaCompra' }), 300);
      await settled();
      expect(await effect(id), etiqueta).toMatchObject({ state: 'done', sends: 1 });
      expect(await there(venta), etiqueta).toHaveLength(1);
      expect((await readGuia(db, venta.envioId))?.archivoId, etiqueta).toBeTruthy();
    }
  });

  test('is read whatever its sum is of, and with a token for people’s data told either way', async () => {
    await amz.post('/interruptores', { sumaDeEtiqueta: 'delEmpaque', sobreDeFicha: 'con' });
    const venta = await sell();
    const id = await buy(venta);
    await settled();
    expect(await effect(id)).toMatchObject({ state: 'done' });
  });

  test('without an answer is for people, with what Amazon shows: they find it, and nothing is bought again', async () => {
    for (const mode of ['hang-after-doing', 'reset-after-doing', '500-after-doing', 'half-answer', 'html']) {
      const venta = await sell();
      await amz.failNext(mode, { route: 'POST /mfn/v0/shipments', ms: 100 });
      const id = await buy(venta);
      await settled();
      const [sold] = await there(venta);
      expect(await effect(id), mode).toMatchObject({ state: 'manual', sends: 1 });
      expect((await effect(id)).detail, mode).toContain(`Estafeta ${sold!.guia}`);
      await expect(buy(venta)).rejects.toThrow('espera una decisión en Pendientes');
      await db.transaction().execute((trx) => resolveAsExisting(trx, EFFECTS, id, ` ${sold!.id} `, quien.id));
      await settled();
      expect(await effect(id), mode).toMatchObject({ state: 'done', sends: 1 });
      expect(await there(venta), mode).toHaveLength(1);
      expect((await readGuia(db, venta.envioId))?.numero, mode).toBe(sold!.guia);
      expect((await envio(venta)).costo, mode).toBe('149.00');
    }
  });

  test('whose buyer was killed in the middle of the call is for people, and is not bought by the next worker', async () => {
    const venta = await sell();
    const id = await buy(venta);
    await sql`update effect set state = 'sending', sends = 1, sent_at = now(), lease_until = now() - interval '1 second' where id = ${id}`.execute(
      db,
    );
    await settled();
    expect(await effect(id)).toMatchObject({ state: 'manual', sends: 1 });
    expect(await there(venta)).toEqual([]);
    await passSend(db, id);
    await resolveAsAbsent(effectRuntime(db), id, quien.id);
  });

  test('goes to the supplier of its sale as any label does, until it is given back', async () => {
    const venta = await sell();
    const pedido = await db
      .insertInto('pedido')
      .values({ market: 'amz', numOrden: venta.numOrden, proveedor: 'tvc', via: 'correo' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const articulo = await db
      .selectFrom('articulo')
      .select(['posicion', 'cantidad', 'nombre'])
      .where('ordenId', '=', venta.id)
      .executeTakeFirstOrThrow();
    await db
      .insertInto('pedidoLinea')
      .values({
        pedidoId: pedido.id,
        posicion: articulo.posicion,
        ordenId: venta.id,
        idProveedor: '1',
        modelo: 'X',
        descripcion: articulo.nombre,
        cantidad: articulo.cantidad,
      })
      .execute();
    expect(await guiaOfPedido(db, pedido.id)).toBeUndefined();
    await buy(venta);
    await settled();
    const [sold] = await there(venta);
    expect(await guiaOfPedido(db, pedido.id)).toMatchObject({ numero: sold!.guia, archivoId: expect.any(String) });
    await give(venta);
    await settled();
    expect(await guiaOfPedido(db, pedido.id)).toBeUndefined();
  });

  test('that was never bought is given up by people, and can be bought then; the id of another sale is refused', async () => {
    const otra = await sell();
    await buy(otra);
    await settled();
    const [ajena] = await there(otra);
    const venta = await sell();
    await amz.failNext('reset', { route: 'POST /mfn/v0/shipments' });
    const id = await buy(venta);
    await settled();
    expect(await effect(id)).toMatchObject({ state: 'manual' });
    expect((await effect(id)).detail).toContain('eso no prueba que no se haya comprado');
    await db.transaction().execute((trx) => resolveAsExisting(trx, EFFECTS, id, ajena!.id, quien.id));
    await settled();
    expect(await effect(id)).toMatchObject({ state: 'manual' });
    expect((await effect(id)).detail).toContain(`es de la venta ${otra.numOrden}`);
    await passSend(db, id);
    await resolveAsAbsent(effectRuntime(db), id, quien.id);
    expect(await effect(id)).toMatchObject({ state: 'cancelled' });
    await buy(venta);
    await settled();
    expect(await there(venta)).toHaveLength(1);
  });

  test('that the account may not buy, or without a token for people’s data, is refused and nothing is left behind', async () => {
    for (const cierre of [{ guias: '403' }, { datosDePersonas: '403' }]) {
      const venta = await sell();
      await amz.post('/interruptores', { guias: 'permitidas', datosDePersonas: 'conFicha', ...cierre });
      const id = await buy(venta);
      await settled();
      expect(await effect(id)).toMatchObject({ state: 'refused' });
      expect(await there(venta)).toEqual([]);
      expect(await envio(venta)).toMatchObject({ guia: null });
      // Its panel tells what to do, and what Amazon answered.
      if ('guias' in cierre)
        expect((await viewGuia(db, { id: venta.id, market: 'amz' }))?.deAlla).toMatchObject({
          campo: 'Permiso',
          remedio: expect.stringContaining('rol'),
          respuesta: expect.stringContaining('errors'),
        });
    }
  });

  test('of which Amazon asks to slow down, or whose token for people’s data is lost, is bought once', async () => {
    const venta = await sell();
    await amz.failNext('429', { route: 'POST /mfn/v0/shipments' });
    await amz.failNext('reset-after-doing', { route: 'POST /tokens' });
    const id = await buy(venta);
    await settled();
    expect(await effect(id)).toMatchObject({ state: 'done' });
    expect(await there(venta)).toHaveLength(1);
  });
});

describe('a label that is given back', () => {
  async function bought() {
    const venta = await sell();
    await buy(venta);
    await settled();
    return venta;
  }

  test('is not for printing, and counts as paid until the money is back', async () => {
    const venta = await bought();
    const id = await give(venta);
    await settled();
    expect(await effect(id)).toMatchObject({ state: 'done' });
    expect(await listCompradas(db, venta.envioId)).toMatchObject([{ estado: 'reembolsoPedido' }]);
    expect(await readGuia(db, venta.envioId)).toBeUndefined();
    expect(await envio(venta)).toMatchObject({ guia: null, costo: '149.00' });
    expect(await reviewReembolso(db, venta.id, quien.id)).toBe('Reembolso pedido: la paquetería todavía no contesta.');
    const [sold] = await there(venta);
    await amz.post(`/guias/${sold!.id}/reembolso`, { estado: 'RefundApplied' });
    expect(await checkReembolsos(db)).toBe(0);
    await db
      .updateTable('guiaComprada')
      .set({ miradaEn: sql<Date>`now() - interval '13 hours'` })
      .execute();
    expect(await checkReembolsos(db)).toBe(1);
    expect(await listCompradas(db, venta.envioId)).toMatchObject([{ estado: 'reembolsada' }]);
    expect((await envio(venta)).costo).not.toBe('149.00');
  });

  test('whose money the carrier keeps says so and stays paid for', async () => {
    await amz.post('/interruptores', { reembolso: 'RefundRejected' });
    const venta = await bought();
    await give(venta);
    await settled();
    expect(await listCompradas(db, venta.envioId)).toMatchObject([{ estado: 'sinReembolso' }]);
    expect((await envio(venta)).costo).toBe('149.00');
  });

  test('that Amazon does not take back stays bought, and goes on being the one to print', async () => {
    await amz.post('/interruptores', { reembolso: 'Purchased' });
    const venta = await bought();
    const id = await give(venta);
    await settled();
    expect(await effect(id)).toMatchObject({ state: 'refused', reason: 'Amazon no canceló la guía: sigue comprada.' });
    expect(await readGuia(db, venta.envioId)).toBeDefined();
  });

  test('is given back once though the answer is lost, and another may be bought for the same pieces', async () => {
    const venta = await bought();
    for (const mode of ['reset-after-doing']) {
      await amz.failNext(mode, { route: 'DELETE /mfn/v0/shipments' });
      const id = await give(venta);
      await settled();
      expect(await effect(id)).toMatchObject({ state: 'done' });
    }
    await again(venta);
    await buy(venta);
    await settled();
    await again(venta);
    expect((await envio(venta)).guia).toBe((await there(venta))[1]!.guia);
    expect((await there(venta)).map(({ estado }) => estado)).toEqual(['RefundPending', 'Purchased']);
    expect((await listCompradas(db, venta.envioId)).map(({ estado }) => estado)).toEqual([
      'comprada',
      'reembolsoPedido',
    ]);
    expect((await readGuia(db, venta.envioId))?.numero).toBe((await there(venta))[1]!.guia);
  });
});
