import { beforeAll, beforeEach, expect, test } from 'vitest';
import { civilDay } from '~/core/time';
import { enlacesSinRespuesta } from '~/domain/facturacion/enlaces/internal/colaEnlaces.server';
import { requestExport } from '~/platform/lists/exportRuns.server';
import { EXPEDIENTE } from '~/domain/operacion/expediente.server';
import { enMarcha } from '~/domain/operacion/exports/colaEnMarcha.server';
import type { Cola } from '~/platform/hoy/cola';
import { countCosas } from '~/platform/hoy/countCosas.server';
import { DIA, HORA } from '~/platform/hoy/reloj';
import { COLAS } from '~/domain/operacion/hoyCatalog.server';
import { cierreDeMes } from '~/domain/facturacion/mes/internal/colaCierre.server';
import { mesOf } from '~/domain/facturacion/mes/mes';
import { mesesAbiertos } from '~/domain/facturacion/mes/mesesAbiertos.server';
import { atoradas, porEnviar } from '~/domain/ventas/ordenes/internal/porEnviar.server';
import { look } from '~/domain/cierre/reportes/cifrasDelDia.server';
import { fuentesEnSilencio, ventasSinLeer } from '~/domain/sync/internal/colaSinLeer.server';
import { saveCredential } from '~/platform/connections/credentials.server';
import { buildEnlace } from '../../support/builders/enlaces';
import { buildOrden as buildVentaDelMes } from '../../support/builders/mes';
import { buildOrden, buildQuien, claimOrden } from '../../support/builders/ordenes';
import { buildFactura } from '../../support/builders/facturas';
import { testDatabase } from '../../support/db';

const { db } = testDatabase();
let ana: Awaited<ReturnType<typeof buildQuien>>;
beforeAll(async () => {
  ana = await buildQuien(db, 'user');
});
const QUIEN = { id: '019a0000-0000-7000-8000-000000000000', rol: 'sa' };

beforeEach(async () => {
  for (const table of [
    'fiscalClaim',
    'facturaOrden',
    'enlace',
    'articulo',
    'orden',
    'envio',
    'inbox',
    'exportRun',
  ] as const)
    await db.deleteFrom(table).execute();
});

const hace = (ms: number) => new Date(Date.now() - ms);
const mirar = (cola: Cola, mirada: { ahora?: Date; aparte?: string[]; solo?: string; quien?: typeof QUIEN } = {}) =>
  cola.mira(db, { ahora: new Date(), limite: 4, aparte: [], quien: QUIEN, ...mirada });
const idsDe = async (cola: Cola) => (await mirar(cola)).cosas.map(({ id }) => id);

test('every kind has a name of its own', () => {
  const claves = COLAS.map(({ clave }) => clave);
  expect(new Set(claves).size).toBe(claves.length);
  expect(claves.filter((clave) => !/^\w+$/.test(clave))).toEqual([]);
});

test('to send today: what has its label or is ours, the oldest first; not what left, what waits for its label, or what the marketplace sends', async () => {
  const nueva = await buildOrden(db, { fechaCreacion: hace(HORA) });
  const vieja = await buildOrden(db, { fechaCreacion: hace(50 * HORA) });
  const propia = await buildOrden(db, {
    fechaCreacion: hace(3 * HORA),
    envioPropio: true,
    envio: { estatus: 'enPreparacion', propio: true },
  });
  await buildOrden(db, { estatus: 'enviado', envio: { estatus: 'shipped' } });
  const espera = await buildOrden(db, { fechaCreacion: hace(30 * HORA), envio: { estatus: 'handling' } });
  await buildOrden(db, { envio: { estatus: 'pending' } });
  // A delivery that was agreed with the buyer has no shipment, and nobody hands it over by itself.
  const acordada = await buildOrden(db, { fechaCreacion: hace(40 * HORA), envio: null });
  await db.updateTable('orden').set({ acordada: true }).where('id', '=', acordada.id).execute();
  const full = await buildOrden(db, {});
  await db.updateTable('envio').set({ tipoLogistico: 'fulfillment' }).where('id', '=', full.envioId!).execute();

  const cuantas = await mirar(porEnviar);
  expect(cuantas.cosas.map(({ id }) => id)).toEqual([vieja.id, propia.id, nueva.id]);
  expect(cuantas).toMatchObject({ total: 3, tarde: 1, atrasadas: 0, aparte: 0 });
  const luego = { ahora: hace(-20 * DIA) };
  expect(await mirar(porEnviar, luego)).toMatchObject({ total: 3, tarde: 3, atrasadas: 3 });
  // What was put aside is not late for anybody.
  expect(await mirar(porEnviar, { ...luego, aparte: [vieja.id] })).toMatchObject({ total: 2, atrasadas: 2 });
  expect(await idsDe(atoradas)).toEqual([acordada.id, espera.id]);
});

test('things that are few are counted as those of a statement are', () => {
  const ahora = new Date();
  const cosa = (id: string, desde: Date, vence: Date | null = null) => ({
    id,
    titulo: id,
    detalle: '',
    a: '',
    desde,
    vence,
  });
  const cosas = [
    cosa('nueva', hace(HORA)),
    cosa('tarde', hace(3 * DIA)),
    cosa('vieja', hace(30 * DIA)),
    cosa('plazo', hace(30 * DIA), hace(-DIA)),
  ];
  expect(countCosas(cosas, { aviso: HORA, mal: DIA }, { ahora, limite: 4, aparte: [], quien: QUIEN })).toMatchObject({
    total: 4,
    tarde: 2,
    atrasadas: 1,
  });
});

test('a package of several ordenes is one thing to send', async () => {
  const una = await buildOrden(db, { packId: '2000033300000001', numOrden: '2000033300000001' });
  const otra = await buildOrden(db, { numOrden: '2000033300000002', envio: null });
  await db
    .updateTable('orden')
    .set({ envioId: una.envioId, numOrden: una.numOrden })
    .where('id', '=', otra.id)
    .execute();
  const { total, cosas } = await mirar(porEnviar);
  expect(total).toBe(1);
  expect(cosas[0]!.detalle).toContain('1 más');
});

test('what was put aside is counted apart and told last; one alone is asked for by its id', async () => {
  const [una, otra] = [await buildOrden(db, {}), await buildOrden(db, { fechaCreacion: hace(60 * HORA) })];
  const cuantas = await mirar(porEnviar, { aparte: [otra.id] });
  expect(cuantas).toMatchObject({ total: 1, tarde: 0, aparte: 1 });
  expect(cuantas.cosas.map(({ id, aparte }) => [id, aparte])).toEqual([
    [una.id, false],
    [otra.id, true],
  ]);
  expect((await mirar(porEnviar, { solo: otra.id })).cosas.map(({ id }) => id)).toEqual([otra.id]);
  expect((await mirar(porEnviar, { solo: 'nada' })).cosas).toEqual([]);
});

test('what was announced and not read waits, with why', async () => {
  await db
    .insertInto('inbox')
    .values([
      {
        source: 'mercadolibre',
        topic: 'orders_v2',
        resource: '/orders/77',
        dedupeKey: '77',
        state: 'failed',
        error: 'otra forma',
      },
      { source: 'mercadolibre', topic: 'orders_v2', resource: '/orders/78', dedupeKey: '78', state: 'done' },
      { source: 'mercadolibre', topic: 'post_purchase', resource: '/claims/5', dedupeKey: '5', state: 'failed' },
      { source: 'amazon', topic: 'venta', resource: '701-1234567-1234567', dedupeKey: '701', state: 'failed' },
    ])
    .execute();
  const { cosas } = await mirar(ventasSinLeer);
  expect(cosas.map(({ titulo, detalle, a }) => [titulo, detalle, a]).sort()).toEqual([
    ['Reclamo 5', 'Mercado Libre', 'tokens#sin-leer-mercadolibre'],
    ['Venta 701-1234567-1234567', 'Amazon', 'tokens#sin-leer-amazon'],
    ['Venta 77', 'Mercado Libre · otra forma', 'tokens#sin-leer-mercadolibre'],
  ]);
});

test('a source that stopped is told; one that is up to date is not', async () => {
  expect((await mirar(fuentesEnSilencio)).cosas.map(({ titulo }) => titulo)).toContain('Mercado Libre');
  await saveCredential(db, 'mercadolibre', { account: '1', secrets: {} });
  await db
    .insertInto('syncCursor')
    .values(['sweep', 'cancelled'].map((kind) => ({ source: `mercadolibre:${kind}`, reachedAt: new Date() })))
    .execute();
  expect((await mirar(fuentesEnSilencio)).cosas.map(({ titulo }) => titulo)).not.toContain('Mercado Libre');
});

test('a link somebody made and the customer did not open waits for a day, and no longer once the sale has its factura', async () => {
  const venta = await buildOrden(db, {});
  const { id } = await buildEnlace(db, venta, { origen: 'personal', usuarioId: ana.id });
  const sent = (at: Date) => db.updateTable('enlace').set({ creadoEn: at }).where('id', '=', id).execute();
  expect(await idsDe(enlacesSinRespuesta)).toEqual([]);
  await sent(hace(25 * HORA));
  expect(await idsDe(enlacesSinRespuesta)).toEqual([id]);
  expect((await mirar(enlacesSinRespuesta)).tarde).toBe(0);
  await sent(hace(3 * DIA + HORA));
  expect((await mirar(enlacesSinRespuesta)).tarde).toBe(1);
  await claimOrden(db, venta.id, await buildFactura(db));
  expect(await idsDe(enlacesSinRespuesta)).toEqual([]);
});

test('the links that the product sends by itself wait for nobody, nor one that a newer one replaced, was opened or was withdrawn', async () => {
  const venta = await buildOrden(db, {});
  const viejo = { creadoEn: hace(2 * DIA) };
  const solo = await buildEnlace(db, venta);
  const abierto = await buildEnlace(db, await buildOrden(db, {}), { origen: 'personal', usuarioId: ana.id });
  const retirado = await buildEnlace(db, await buildOrden(db, {}), { origen: 'personal', usuarioId: ana.id });
  const antes = await buildEnlace(db, venta, { origen: 'personal', usuarioId: ana.id });
  const despues = await buildEnlace(db, venta, { origen: 'personal', usuarioId: ana.id });
  await db.updateTable('enlace').set(viejo).where('id', 'in', [solo.id, abierto.id, retirado.id, antes.id]).execute();
  await db
    .updateTable('enlace')
    .set({ creadoEn: hace(26 * HORA) })
    .where('id', '=', despues.id)
    .execute();
  await db.updateTable('enlace').set({ usadoEn: new Date() }).where('id', '=', abierto.id).execute();
  await db.updateTable('enlace').set({ revocadoEn: new Date() }).where('id', '=', retirado.id).execute();
  expect(await idsDe(enlacesSinRespuesta)).toEqual([despues.id]);
});

test('the month before is closed until its last sale has a document; this one is not asked for', async () => {
  const mes = mesOf(new Date());
  const [anio, numero] = mes.split('-').map(Number) as [number, number];
  const anterior = new Date(Date.UTC(anio, numero - 2, 15, 18));
  await buildVentaDelMes(db, { fecha: new Date(), precio: '500.00' });
  expect((await mirar(cierreDeMes)).cosas).toEqual([]);
  const { id } = await buildVentaDelMes(db, { fecha: anterior, precio: '116.00' });
  const [cierre] = (await mirar(cierreDeMes)).cosas;
  expect(cierre).toMatchObject({ detalle: '1 venta · $116.00' });
  expect(mesOf(new Date(cierre!.vence!.getTime() - 1))).toBe(mes);
  await claimOrden(db, id, await buildFactura(db));
  expect((await mirar(cierreDeMes)).cosas).toEqual([]);
});

test('a month that nobody closed is asked for however old it is, until no global may take its sales', async () => {
  const now = new Date();
  const atras = (months: number) => {
    const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 15, 18));
    return { day, mes: mesOf(day) };
  };
  const viejo = atras(5);
  // Of the year before last: the SAT takes no global of it (CFDI40136).
  const perdido = atras(12 + now.getUTCMonth() + 2);
  const { id } = await buildVentaDelMes(db, { fecha: viejo.day, precio: '232.00' });
  await buildVentaDelMes(db, { fecha: perdido.day, precio: '999.00' });
  const { tarde, cosas } = await mirar(cierreDeMes);
  expect(cosas).toMatchObject([{ detalle: '1 venta · $232.00', a: `facturacionGeneral?mes=${viejo.mes}` }]);
  expect([tarde, cosas[0]!.vence! < now]).toEqual([1, true]);
  expect(await mesesAbiertos(db, now)).toMatchObject([{ mes: viejo.mes, ventas: 1, notas: 0 }]);
  await claimOrden(db, id, await buildFactura(db));
  expect(await mesesAbiertos(db, now)).toEqual([]);
});

test('an export under way is told to who asked for it, and to nobody else', async () => {
  await db
    .insertInto('exportRun')
    .values({ list: 'ordenes', filter: '{}', usuarioId: ana.id, state: 'running', written: 40, total: 160 })
    .execute();
  expect((await mirar(enMarcha, { quien: ana })).cosas).toMatchObject([
    { titulo: 'Excel de Ordenes', a: 'ordenes', dice: { texto: '25 %', tono: 'neutro' } },
  ]);
  await db
    .transaction()
    .execute((trx) => requestExport(trx, { lista: EXPEDIENTE, search: '2026-10', usuarioId: ana.id }));
  expect((await mirar(enMarcha, { quien: ana })).cosas.at(-1)).toMatchObject({
    titulo: 'Expediente de octubre de 2026',
    a: 'balanceFiscal?mes=2026-10',
  });
  expect((await mirar(enMarcha)).cosas).toEqual([]);
});

test('the day so far stands beside the same weekday until the same hour, by hour', async () => {
  const ahora = new Date('2026-11-20T18:30:00Z'); // 12:30 in Mexico
  const at = (iso: string, pagado: string, clase: 'normal' | 'cancelada' = 'normal') =>
    buildOrden(db, { fechaCreacion: new Date(iso), pagado, clase });
  await at('2026-11-20T14:10:00Z', '100.00');
  await at('2026-11-20T14:50:00Z', '50.50');
  await at('2026-11-13T18:20:00Z', '200.00');
  await at('2026-11-13T18:40:00Z', '999.00');
  await at('2026-11-13T10:40:00Z', '70.00', 'cancelada');
  await at('2026-11-19T15:00:00Z', '888.00');
  const { hoy, antes, diaDeAntes, porHora } = await look(db, ahora);
  expect(diaDeAntes).toBe(civilDay(new Date('2026-11-13T18:00:00Z')));
  expect([hoy.ventas, hoy.vendido.toFixed(2), hoy.canceladas]).toEqual([2, '150.50', 0]);
  expect([antes.ventas, antes.vendido.toFixed(2), antes.canceladas]).toEqual([2, '200.00', 1]);
  expect(porHora.hoy).toHaveLength(13);
  expect([porHora.hoy[8]!.ordenes, porHora.antes[12]!.ordenes]).toEqual([2, 2]);
  // Nobody knows yet what these sales leave, which is no zero.
  expect([hoy.utilidad, hoy.sinSaber, hoy.estimadas, porHora.hoy[8]!.utilidad]).toEqual([null, 2, 0, null]);
});

test('the profit of the day is what the ledgers tell, by hour too; estimated and unknown are said', async () => {
  const ahora = new Date('2026-11-20T18:30:00Z'); // 12:30 in Mexico
  const venta = async (iso: string, recibe: string, costo: string | null, estima: string[] = []) => {
    const { id } = await buildOrden(db, { fechaCreacion: new Date(iso), pagado: '100.00' });
    await db
      .updateTable('libroVenta')
      .set({ recibe, costo, estima, falta: costo === null ? ['costo'] : [] })
      .where('ordenId', '=', id)
      .execute();
  };
  await venta('2026-11-20T14:10:00Z', '90.00', '60.00');
  await venta('2026-11-20T14:50:00Z', '90.00', '80.00', ['costo']);
  await venta('2026-11-20T15:50:00Z', '90.00', null);
  await venta('2026-11-13T14:20:00Z', '50.00', '70.00');
  await venta('2026-11-13T22:20:00Z', '95.00', '15.00');
  const { hoy, antes, porHora } = await look(db, ahora);
  expect(hoy).toMatchObject({ ventas: 3, estimadas: 1, sinSaber: 1 });
  expect([hoy.utilidad?.toFixed(2), antes.utilidad?.toFixed(2)]).toEqual(['40.00', '-20.00']);
  expect(porHora.hoy[8]).toEqual({ ordenes: 2, utilidad: '40.00', estimada: true });
  expect(porHora.hoy[9]).toEqual({ ordenes: 1, utilidad: null, estimada: false });
  expect([porHora.antes[8]!.utilidad, porHora.antes[16]!.utilidad]).toEqual(['-20.00', '80.00']);
});
