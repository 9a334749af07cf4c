import { beforeAll, expect, test } from 'vitest';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { esperanPedidos, type VentaQueSeCompra } from '~/domain/compras/pedidos/internal/esperaPedido';
import { COLAS } from '~/domain/operacion/hoyCatalog.server';
import { openOrden } from '~/domain/operacion/ordenAbierta.server';
import { esperaSalida, type VentaQueSale } from '~/domain/ventas/ordenes/esperaSalida';
import { isPorEnviar } from '~/domain/ventas/ordenes/activas';
import { atoradas, porEnviar } from '~/domain/ventas/ordenes/internal/porEnviar.server';
import { DIA, HORA, relojOf } from '~/platform/hoy/reloj';
import { buildOrden, type OrdenSketch } from '../../support/builders/ordenes';
import { testDatabase } from '../../support/db';

const { db } = testDatabase();
const AHORA = new Date('2026-11-30T18:00:00Z');
const hace = (ms: number) => new Date(AHORA.getTime() - ms);

const VACIO = {
  nombreReceptor: null,
  telefono: null,
  calle: 'Av. Juárez',
  numeroE: '12',
  numeroI: null,
  colonia: 'Centro',
  cp: '06000',
  ciudad: 'Ciudad de México',
  municipio: null,
  estado: null,
  referencia: null,
  paqueteria: null,
  guia: null,
};
const ENVIO = { ...VACIO, estatus: 'handling', propio: false, tipoLogistico: 'cross_docking' };
type Venta = VentaQueSeCompra & VentaQueSale;
const VENTA: Venta = {
  numOrden: '2000016000000001',
  clase: 'normal',
  estatus: 'enPreparacion',
  situacion: 'pagada',
  conservada: false,
  cambioEn: hace(HORA),
  acordada: false,
  fechaCreacion: hace(HORA),
  envio: ENVIO,
  pedidos: [],
  porPedir: [],
  surtido: [],
};
const PEDIDO: Venta['pedidos'][number] = {
  id: 'p1',
  folio: 'TR-1',
  folioProveedor: 'W-77',
  estado: 'solicitado',
  via: 'api',
  proveedor: 'ct',
  proveedorLabel: 'CT',
  creadoEn: hace(HORA),
  solicitadoEn: hace(HORA),
  venceEn: hace(-3 * HORA),
  descartadoEn: null,
};
const dichos = (venta: Partial<Venta>) =>
  [...esperanPedidos({ ...VENTA, ...venta }), ...esperaSalida({ ...VENTA, ...venta }, AHORA)].map(
    ({ paso, texto, plazo }) => [paso, texto, plazo?.plazos && relojOf(plazo, plazo.plazos, AHORA).texto],
  );

test('a young sale whose label is on its way waits for nobody', () => {
  expect(dichos({})).toEqual([]);
  // Neither does one that the marketplace sends from its own shelves, nor one that has left.
  expect(dichos({ fechaCreacion: hace(9 * DIA), envio: { ...ENVIO, tipoLogistico: 'fulfillment' } })).toEqual([]);
  expect(dichos({ fechaCreacion: hace(9 * DIA), estatus: 'enviado' })).toEqual([]);
});

test('what a sale waits for is told the most urgent first, each with its clock', () => {
  expect(
    dichos({
      porPedir: [{ proveedor: 'syscom', label: 'Syscom' }],
      surtido: [{}],
      pedidos: [PEDIDO],
      envio: { ...ENVIO, estatus: 'ready_to_ship' },
      fechaCreacion: hace(50 * HORA),
    }),
  ).toEqual([
    ['surtir', 'Hay piezas en el stock interno para esta venta', undefined],
    ['pedir', 'Falta pedirla a Syscom', undefined],
    ['confirmar', 'Falta confirmar el pedido a CT', 'quedan 3 h'],
    ['enviar', 'Falta enviarla', 'hace 2 días'],
  ]);
});

test('a pedido is told by its state, and not twice where the sale is ordered once more', () => {
  const de = (pedido: Partial<typeof PEDIDO>, venta: Partial<Venta> = {}) =>
    dichos({ pedidos: [{ ...PEDIDO, ...pedido }], ...venta }).map(([, texto]) => texto);
  expect(de({ estado: 'incierto' })).toEqual(['No se sabe si CT tiene el pedido']);
  expect(de({ via: 'correo', folioProveedor: null })).toEqual(['Falta el folio de CT']);
  expect(de({ via: 'correo' })).toEqual([]);
  expect(de({ estado: 'vencido' })).toEqual(['CT no tomó el pedido']);
  expect(de({ estado: 'vencido' }, { porPedir: [{ proveedor: 'ct', label: 'CT' }] })).toEqual(['Falta pedirla a CT']);
  expect(de({ estado: 'vencido', descartadoEn: hace(HORA) })).toEqual([]);
  expect(de({ estado: 'enviando' })).toEqual([]);
  expect(de({ estado: 'confirmado' })).toEqual([]);
});

test('of a sale that is no more only the purchase is left to be undone', () => {
  const cancelada = { clase: 'cancelada', estatus: 'cancelado', porPedir: [], envio: { ...ENVIO, propio: true } };
  expect(dichos({ ...cancelada, pedidos: [{ ...PEDIDO, estado: 'confirmado' }] })).toEqual([
    ['cancelarPedido', 'La venta se cayó y CT tiene el pedido W-77: cancélalo', 'quedan 3 h'],
  ]);
  expect(dichos({ ...cancelada, pedidos: [{ ...PEDIDO, estado: 'enviado' }] })).toEqual([]);
});

test('a shipment of ours waits for its address first', () => {
  const propio = { ...ENVIO, propio: true };
  expect(dichos({ envio: propio })).toEqual([['enviar', 'Falta enviarla', 'hace 1 h']]);
  expect(dichos({ envio: { ...propio, guia: '794612' } })).toEqual([
    ['enviar', 'Ya tiene guía: falta que salga', 'hace 1 h'],
  ]);
  const sin = Object.fromEntries(Object.keys(VACIO).map((campo) => [campo, null])) as Record<keyof typeof VACIO, null>;
  expect(dichos({ envio: { ...propio, ...sin } })).toEqual([['direccion', 'Faltan los datos de envío', 'hace 1 h']]);
});

const FORMAS: OrdenSketch[] = [
  {},
  { envio: { estatus: 'ready_to_ship' } },
  { envio: { estatus: 'handling' } },
  { envio: { propio: true, estatus: 'enPreparacion' }, envioPropio: true },
  { envio: null },
  { estatus: 'enviado', envio: { estatus: 'ready_to_ship' } },
];
let ventas: string[];
beforeAll(async () => {
  ventas = [];
  for (const forma of FORMAS)
    for (const edad of [HORA, 30 * HORA])
      ventas.push((await buildOrden(db, { ...forma, fechaCreacion: new Date(Date.now() - edad) })).id);
  const full = await buildOrden(db, { envio: { estatus: 'ready_to_ship' } });
  await db.updateTable('envio').set({ tipoLogistico: 'fulfillment' }).where('id', '=', full.envioId!).execute();
  const acordada = await buildOrden(db, { envio: null, fechaCreacion: new Date(Date.now() - 30 * HORA) });
  await db.updateTable('orden').set({ acordada: true }).where('id', '=', acordada.id).execute();
  ventas.push(full.id, acordada.id);
});

test('the panel of a sale and the queues of Hoy say the same of each sale', async () => {
  const mirada = { ahora: new Date(), limite: 100, aparte: [], quien: { id: '', rol: 'sa' } };
  const [salen, estan] = await Promise.all([porEnviar.mira(db, mirada), atoradas.mira(db, mirada)]);
  const suyas = await Promise.all(ventas.map((id) => openOrden(db, id, EFFECTS)));
  const con = (hay: (orden: NonNullable<(typeof suyas)[number]>) => boolean) =>
    suyas.flatMap((orden) => (orden && hay(orden) ? [orden.id] : [])).sort();
  const ids = ({ cosas }: typeof salen) => cosas.map(({ id }) => id).sort();
  expect(con(isPorEnviar)).toEqual(ids(salen));
  expect(con(({ esperas }) => esperas.some(({ paso }) => paso === 'guia'))).toEqual(ids(estan));
  // A shipment of ours that is to be sent and has no address waits for its address.
  const espera = con(({ esperas }) => esperas.some(({ paso }) => paso === 'enviar' || paso === 'direccion'));
  expect(espera).toEqual(ids(salen));
  expect([salen.total, estan.total]).not.toContain(0);
});

test('the panel tells the clock that the card of a pedido has on Hoy', async () => {
  const proveedor = (
    await db.selectFrom('proveedor').select('value').where('value', '=', 'ts').executeTakeFirstOrThrow()
  ).value;
  const casos = [
    { cola: 'porConfirmar', paso: 'confirmar', via: 'api', estado: 'borrador', caida: null },
    { cola: 'pedidosSinFolio', paso: 'folio', via: 'correo', estado: 'solicitado', caida: null },
    { cola: 'canceladasConPedido', paso: 'cancelarPedido', via: 'api', estado: 'solicitado', caida: 'cancelada' },
    { cola: 'canceladasConPedido', paso: 'cancelarPedido', via: 'correo', estado: 'solicitado', caida: 'devuelta' },
  ] as const;
  const mirada = { ahora: new Date(), limite: 100, aparte: [], quien: { id: '', rol: 'sa' } };
  for (const { cola, paso, via, estado, caida } of casos) {
    const { id: ordenId, numOrden } = await buildOrden(db, { fechaCreacion: new Date(Date.now() - 3 * DIA) });
    const { id } = await db
      .insertInto('pedido')
      .values({
        ...{ market: 'ml', numOrden, proveedor, via },
        creadoEn: new Date(Date.now() - 2 * DIA),
        venceEn: via === 'api' ? new Date(Date.now() + 5 * HORA) : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('pedidoLinea')
      .values({ pedidoId: id, posicion: 1, ordenId, idProveedor: `ESPERA-${cola}`, descripcion: 'Cable', cantidad: 1 })
      .execute();
    if (estado === 'solicitado') {
      await db.updateTable('pedido').set({ estado: 'enviando' }).where('id', '=', id).execute();
      const solicitadoEn = new Date(Date.now() - 30 * HORA);
      await db.updateTable('pedido').set({ estado, solicitadoEn }).where('id', '=', id).execute();
    }
    if (caida) await db.updateTable('orden').set({ situacion: caida }).where('id', '=', ordenId).execute();
    const { cosas } = await COLAS.find(({ clave }) => clave === cola)!.mira(db, mirada);
    const cosa = cosas.find((una) => una.id === id);
    const espera = (await openOrden(db, ordenId, EFFECTS))!.esperas.find((una) => una.de === id);
    expect(espera, `${cola} ${caida}`).toMatchObject({ paso, plazo: { desde: cosa?.desde, vence: cosa?.vence } });
  }
});
