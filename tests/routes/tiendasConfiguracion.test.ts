import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { NotAllowed } from '~/core/errors';
import type { Usuario } from '~/core/usuario';
import { action, loader } from '~/routes/compras/tiendas/tiendas';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';
import { PROBADA } from '../support/sesion';

const { db } = testDatabase();
let sa: Usuario;
let cont: Usuario;

beforeAll(async () => {
  sa = await buildPersona(db, 'sa');
  cont = await buildPersona(db, 'cont');
});
beforeEach(async () => {
  for (const table of ['producto', 'ganancia', 'catalogoProveedor', 'lecturaCatalogo'] as const)
    await db.deleteFrom(table).execute();
  await db.deleteFrom('ajuste').where('clave', 'like', 'tarifa_%').execute();
  await db.updateTable('proveedor').set({ crearPedido: false, comprarSinConfirmar: false }).execute();
});

function args(body?: Record<string, string>, usuario = sa): ActionFunctionArgs {
  const request = new Request(
    'http://trastienda.test/sa/tiendasConfiguracion?tab=proveedores',
    body && { method: 'POST', body: new URLSearchParams(body) },
  );
  return { request, params: {}, context: { usuario, sesion: PROBADA } as unknown as AppLoadContext };
}
const enviar = (body: Record<string, string>, usuario?: Usuario) => action(args(body, usuario));

async function proveedor(value: string) {
  const { proveedores } = await loader(args());
  return proveedores!.find((one) => one.value === value)!;
}
async function tienda(market: string) {
  const { tiendas } = await loader({
    ...args(),
    request: new Request('http://trastienda.test/sa/tiendasConfiguracion'),
  });
  return tiendas!.find((one) => one.market === market)!;
}
const aviso = (answer: unknown) =>
  answer instanceof Response
    ? Buffer.from(decodeURIComponent(answer.headers.get('Set-Cookie')!.split(/[=.;]/)[1]!), 'base64').toString()
    : null;

async function vende(precio: string, n: number) {
  const { id } = await db
    .insertInto('producto')
    .values({ proveedor: 'tvc', idProveedor: `T-${n}`, enVenta: true, huella: 'x' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const lista = { almacenes: '[]', promociones: '[]', raw: '{}', huella: 'x', tope: false, existencia: 1 };
  await db
    .insertInto('oferta')
    .values({ productoId: id, precio, moneda: 'MXN', leidaEn: new Date(), ...lista })
    .execute();
}

test('each wholesaler has its card with a half for both marketplaces', async () => {
  const { proveedores } = await loader(args());
  expect(proveedores!.map(({ value }) => value).sort()).toEqual(['ct', 'cva', 'syscom', 'ts', 'tvc']);
  expect(proveedores!.map(({ ganancias }) => ganancias)).toEqual(
    proveedores!.map(() => ({ ml: '0.5', premium: '', amz: '0.5' })),
  );
});

test('other mark-ups tell what they move before they hold', async () => {
  for (const [n, precio] of ['100', '100', '0.01'].entries()) await vende(precio, n);
  const { huellaGanancias: huella } = await proveedor('tvc');
  const form = {
    intent: 'ganancia',
    formulario: 'ganancia-tvc',
    proveedor: 'tvc',
    huella,
    ml: '0,25',
    premium: '.5',
    amz: '.5',
  };
  const asked = await enviar(form);
  expect(asked).toMatchObject({
    data: {
      confirmar: {
        titulo: 'Ganancia de TVC',
        hechos:
          'Mercado Libre Clásica: de 0.5 a 0.25, cambia el precio de 2 productos, en promedio de $174 a $145; ninguna publicación lo sigue.',
      },
    },
  });
  expect((await proveedor('tvc')).ganancias.ml).toBe('0.5');
  const saved = await enviar({ ...form, confirmado: '1' });
  expect(saved).toMatchObject({ status: 302 });
  expect(aviso(saved)).toMatch(/Ganancia actializada.*7000/);
  expect((await proveedor('tvc')).ganancias).toEqual({ ml: '0.25', premium: '0.5', amz: '0.5' });
  // Decided about what the screen showed before.
  const late = await enviar({ ...form, ml: '0.75', confirmado: '1' });
  expect(late).toMatchObject({
    data: { choque: { cambios: [{ campo: 'Mercado Libre Clásica', mio: '0.75', suyo: '0.25' }] } },
  });
});

test.each(['50', '-0.5', '0.12345', '', 'medio', '1e3'])(
  'a mark-up written as «%s» is refused at its field',
  async (ml) => {
    const { huellaGanancias: huella } = await proveedor('ct');
    const refused = await enviar({ intent: 'ganancia', proveedor: 'ct', huella, ml, amz: '0.5', confirmado: '1' });
    expect(refused).toMatchObject({ data: { error: { ml: [expect.any(String)] } }, init: { status: 422 } });
    expect((await proveedor('ct')).ganancias.ml).toBe('0.5');
  },
);

test('a switch turns once it is saved, and not about what it was before', async () => {
  const { pedidos } = await proveedor('syscom');
  const form = { intent: 'pedidos', proveedor: 'syscom', comprarSinConfirmar: '0' };
  expect(await enviar({ ...form, huella: pedidos.huella, crearPedido: '1' })).toMatchObject({ status: 302 });
  expect((await proveedor('syscom')).pedidos).toMatchObject({ crearPedido: true, comprarSinConfirmar: false });
  const late = await enviar({ ...form, huella: pedidos.huella, crearPedido: '1' });
  expect(late).toMatchObject({ data: { choque: { cambios: [] } } });
});

test('what its supplier confirms in a second step is never bought without people', async () => {
  const { pedidos } = await proveedor('ct');
  const form = {
    intent: 'pedidos',
    proveedor: 'ct',
    huella: pedidos.huella,
    crearPedido: '1',
    comprarSinConfirmar: '1',
  };
  expect(JSON.stringify(await enviar(form))).toContain('siempre espera a que alguien lo confirme');
  expect((await proveedor('ct')).pedidos).toMatchObject({ crearPedido: false, comprarSinConfirmar: false });
});

test('how a supplier is bought from is chosen on its card among what it offers, and what is missing is said there', async () => {
  const { compra } = await proveedor('syscom');
  expect(compra).toMatchObject({ falta: ['forma de pago', 'fletera'], leidas: null, seLeen: true, lugar: null });
  const form = {
    intent: 'compra',
    formulario: 'compra-syscom',
    proveedor: 'syscom',
    huella: compra.huella,
    almacenes: '',
  };
  expect(await enviar({ ...form, metodoPago: 'transferencia' })).toMatchObject({
    data: { error: { metodoPago: ['Forma de pago: lee primero sus opciones.'] } },
  });
  const elecciones = { metodoPago: [{ clave: 'transferencia', nombre: 'Transferencia' }], fletera: [], usoCfdi: [] };
  await db
    .insertInto('proveedorElecciones')
    .values({ proveedor: 'syscom', elecciones: JSON.stringify(elecciones), leidasEn: new Date('2026-01-01T00:00:00Z') })
    .execute();
  const bien = { ...form, metodoPago: 'transferencia', cc: 'ana@x.mx; beto@x.mx', facturarA: 'Mi Tienda SA de CV' };
  expect(await enviar({ ...bien, cc: 'ana@' })).toMatchObject({ data: { error: { cc: [expect.any(String)] } } });
  expect(await enviar(bien)).toMatchObject({ status: 302 });
  const { compra: despues } = await proveedor('syscom');
  expect(despues).toMatchObject({ falta: ['fletera'], leidas: { vieja: true }, cc: 'ana@x.mx, beto@x.mx' });
  expect(await enviar(bien)).toMatchObject({ data: { choque: { cambios: [] } } });
  // What the supplier offers no longer is missing again.
  await db
    .updateTable('proveedorElecciones')
    .set({ elecciones: JSON.stringify({ metodoPago: [{ clave: 'credito-1/ppd', nombre: 'Crédito' }] }) })
    .execute();
  expect((await proveedor('syscom')).compra.falta).toEqual(['forma de pago (ya no ofrece «transferencia»)', 'fletera']);
  const { compra: deCt } = await proveedor('ct');
  expect(deCt).toMatchObject({ falta: [], seLeen: false, lugar: { label: 'Almacén' } });
  const preferidos = new URLSearchParams({ intent: 'compra', proveedor: 'ct', huella: deCt.huella, tipoPago: '03' });
  for (const almacen of ['35A', '', '13A', '35A']) preferidos.append('almacenes', almacen);
  const { request: _, ...resto } = args();
  const post = new Request('http://trastienda.test/sa/tiendasConfiguracion', { method: 'POST', body: preferidos });
  expect(await action({ ...resto, request: post })).toMatchObject({ status: 302 });
  expect((await proveedor('ct')).compra.lugar!.almacenes).toEqual(['35A', '13A']);
});

test('how many pieces the marketplaces show is asked with what it moves, and kept by marketplace', async () => {
  const { stocks } = await loader(args());
  expect(stocks!.ct).toMatchObject({ mlColchon: '0', mlTope: '', amzColchon: '0', amzTope: '' });
  const form = { intent: 'stock', proveedor: 'ct', huella: stocks!.ct!.huella, mlColchon: '2', mlTope: '' };
  for (const amzColchon of ['', '-1', '10000', '1.5'])
    expect(await enviar({ ...form, amzColchon, amzTope: '30' })).toMatchObject({ init: { status: 422 } });
  const bien = { ...form, amzColchon: '1', amzTope: '30' };
  const hechos =
    'Mercado Libre: no cambia el stock de ninguna publicación. Amazon: no cambia el stock de ninguna publicación.';
  expect(await enviar(bien)).toMatchObject({ data: { confirmar: { titulo: expect.stringContaining('CT'), hechos } } });
  expect(await enviar({ ...bien, confirmado: '1' })).toMatchObject({ status: 302 });
  expect((await loader(args())).stocks!.ct).toMatchObject({ mlColchon: '2', amzColchon: '1', amzTope: '30' });
  expect(await enviar({ ...bien, mlTope: '9', confirmado: '1' })).toMatchObject({
    data: {
      choque: {
        cambios: [{ campo: 'Tope en Mercado Libre', mio: '9', suyo: '—' }],
      },
    },
  });
});

test('what follows the suppliers is stopped and let go on beside its marketplace', async () => {
  const palanca = (detener: string, usuario?: Usuario) =>
    enviar({ intent: 'palanca', market: 'ml', detener, confirmado: '1' }, usuario);
  expect(await palanca('1')).toMatchObject({ status: 302 });
  expect((await tienda('ml')).seguimiento).toMatchObject({ quien: sa.usuario, detenidoEn: expect.any(String) });
  expect((await tienda('amz')).seguimiento.detenidoEn).toBeNull();
  await expect(palanca('0', cont)).rejects.toThrow(NotAllowed);
  expect(await palanca('0')).toMatchObject({ status: 302 });
  expect((await tienda('ml')).seguimiento.detenidoEn).toBeNull();
});

test('the minutes of a price are its supplier’s', async () => {
  const { frescura } = await proveedor('cva');
  expect(frescura.frescuraMin).toBe(720);
  const form = { intent: 'frescura', proveedor: 'cva', version: String(frescura.version) };
  for (const frescuraMin of ['4', '43201', 'x', '1.5'])
    expect(await enviar({ ...form, frescuraMin })).toMatchObject({ init: { status: 422 } });
  expect(await enviar({ ...form, frescuraMin: '90' })).toMatchObject({ status: 302 });
  expect((await proveedor('cva')).frescura).toMatchObject({ frescuraMin: 90 });
  expect(await enviar({ ...form, frescuraMin: '60' })).toMatchObject({
    data: { choque: { cambios: [{ campo: 'Minutos', mio: '60', suyo: '90' }] } },
  });
});

test('a card tells the last whole read, and what could not be read of it', async () => {
  await db
    .insertInto('lecturaCatalogo')
    .values({
      proveedor: 'tvc',
      empezoEn: new Date('2026-11-22T10:00:00Z'),
      terminoEn: new Date('2026-11-22T10:00:40Z'),
      completa: true,
      vistos: 20_000,
      escritos: 300,
      ilegibles: 1,
      ejemplos: ['3: sin clave'],
    })
    .execute();
  const { lecturas } = (await proveedor('tvc')).frescura;
  expect(lecturas).toMatchObject([{ vistos: 20_000, porSegundo: 500, ejemplos: ['3: sin clave'] }]);
  expect((await proveedor('ct')).frescura.lecturas).toEqual([]);
});

test('what a marketplace takes is changed in hundredths, and moves no price', async () => {
  const { tarifa, fuente } = await tienda('amz');
  expect(tarifa).toEqual({ comision: '15', retencionIva: '', retencionIsr: '', huella: '15··' });
  expect(fuente).toMatchObject({ linked: null });
  const form = { intent: 'tarifa', market: 'amz', huella: tarifa.huella, comision: '17.5', retencionIva: '16' };
  expect(await enviar({ ...form, retencionIsr: '101' })).toMatchObject({ init: { status: 422 } });
  expect(await enviar({ ...form, retencionIsr: '20' })).toMatchObject({ status: 302 });
  expect((await tienda('amz')).tarifa).toMatchObject({ comision: '17.5', retencionIva: '16', retencionIsr: '20' });
  expect((await tienda('ml')).tarifa.comision).toBe('15');
  expect(await enviar({ ...form, retencionIsr: '20' })).toMatchObject({ data: { choque: { cambios: [] } } });
});

test('an empty withholding shows the rates of today, whatever somebody wrote for the next law', async () => {
  const card = async () =>
    loader({ ...args(), request: new Request('http://trastienda.test/sa/tiendasConfiguracion') });
  const { ley, retenciones } = await card();
  const form = { intent: 'tasa', huella: retenciones!.huella, desde: '2090-01-01', hasta: '', iva: '8', isr: '9' };
  expect(await enviar({ ...form, hasta: '2089-12-31' })).toMatchObject({ init: { status: 422 } });
  expect(await enviar(form)).toMatchObject({ status: 302 });
  expect((await card()).retenciones!.filas[0]).toMatchObject({ desde: '2090-01-01', hasta: null, isr: '9' });
  expect((await card()).ley).toEqual(ley);
  expect(await enviar(form)).toMatchObject({ data: { choque: { cambios: [] } } });
  await expect(enviar({ ...form, huella: (await card()).retenciones!.huella }, cont)).rejects.toThrow(NotAllowed);
  await db.deleteFrom('tasaRetencion').where('desde', '=', '2090-01-01').execute();
});

test('whoever may not change suppliers changes nothing here', async () => {
  const { pedidos } = await proveedor('syscom');
  const form = {
    intent: 'pedidos',
    proveedor: 'syscom',
    huella: pedidos.huella,
    crearPedido: '1',
    comprarSinConfirmar: '0',
  };
  await expect(enviar(form, cont)).rejects.toThrow(NotAllowed);
  await expect(enviar({ ...form, proveedor: 'facturacom' })).rejects.toMatchObject({ status: 404 });
});

test('of a catalogue that shrank somebody says whether it is so, and is asked once more before it is marked', async () => {
  await vende('10.00', 1);
  const { id } = await db
    .insertInto('lecturaCatalogo')
    .values({ proveedor: 'tvc', terminoEn: new Date(), vistos: 5, porMarcar: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const ausentes = () => db.selectFrom('producto').select('id').where('ausenteDesde', 'is not', null).execute();
  const marcar = { intent: 'encogido', proveedor: 'tvc', id, decision: 'marcar' };
  await enviar(marcar);
  expect(await ausentes()).toEqual([]);
  await expect(enviar({ ...marcar, confirmado: '1' }, cont)).rejects.toThrow(NotAllowed);
  expect(aviso(await enviar({ ...marcar, confirmado: '1' }))).toContain('Se marcaron 1 productos');
  expect(await ausentes()).toHaveLength(1);
  expect((await proveedor('tvc')).frescura.lecturas).toMatchObject([{ decision: 'marcar' }]);
});
