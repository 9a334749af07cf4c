import { beforeAll, describe, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { currentMonth, searchOf } from '~/core/list';
import { countInAllDates, openList } from '~/platform/lists/list.server';
import { facturasList } from '~/domain/facturacion/emision/listFacturas.server';
import { enviosList } from '~/domain/ventas/envios/listEnvios.server';
import { readDinero } from '~/domain/ventas/libro/dinero.server';
import { activasList, canceladasList, ordenesList } from '~/domain/ventas/ordenes/listOrdenes.server';
import { createProveedorFactura } from '~/domain/compras/facturas/proveedorFacturas.server';
import { buildFactura } from '../../../support/builders/facturas';
import { buildOrden, buildQuien, claimOrden } from '../../../support/builders/ordenes';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();
const OCTUBRE = 'desde=2026-10-01&hasta=2026-10-31';
const en = (day: number) => new Date(`2026-10-${String(day).padStart(2, '0')}T18:00:00Z`);
let quien: Awaited<ReturnType<typeof buildQuien>>;
const made: Record<string, { id: string; numOrden: string }> = {};

beforeAll(async () => {
  quien = await buildQuien(db);
  made.normal = await buildOrden(db, {
    fechaCreacion: en(10),
    pagado: '100.00',
    numOrden: '2000016000000777',
    titulo: 'Grabador de ocho canales',
  });
  made.carrito = await buildOrden(db, {
    fechaCreacion: en(11),
    pagado: '200.00',
    packId: '2000009000000555',
    numOrden: '2000009000000555',
  });
  made.cancelada = await buildOrden(db, {
    fechaCreacion: en(12),
    pagado: '400.00',
    clase: 'cancelada',
    estatus: 'cancelado',
    marketStatus: 'cancelled',
  });
  made.devuelta = await buildOrden(db, {
    fechaCreacion: en(13),
    pagado: '800.00',
    clase: 'devuelta',
    envio: { estatus: 'not_delivered', subestatus: 'returned' },
  });
  made.invalida = await buildOrden(db, {
    fechaCreacion: en(14),
    pagado: '1600.00',
    clase: 'invalida',
    sku: null,
    envio: null,
  });
  made.facturada = await buildOrden(db, {
    fechaCreacion: en(15),
    pagado: '3200.00',
    estatus: 'entregado',
    envio: { estatus: 'delivered' },
  });
  await claimOrden(
    db,
    made.facturada.id,
    await buildFactura(db, { serie: 'ORD', folio: 4321, rfc: 'GAGJ800101QX1', razonSocial: 'JUANA GARZA GRIJALVA' }),
  );
  await db
    .transaction()
    .execute((trx) =>
      createProveedorFactura(
        trx,
        { ordenId: made.facturada!.id, proveedor: 'syscom', folio: 'FA/9988', monto: '50.25' },
        quien.id,
      ),
    );
  await db
    .transaction()
    .execute((trx) =>
      createProveedorFactura(
        trx,
        { ordenId: made.facturada!.id, proveedor: 'tvc', folio: '12', monto: '9.75' },
        quien.id,
      ),
    );
  made.setiembre = await buildOrden(db, { fechaCreacion: new Date('2026-09-30T18:00:00Z') });
});

const open = (query: string, list: typeof ordenesList = ordenesList) =>
  openList(db, list, new Request(`http://trastienda.test/sa/ordenes?${query}`), quien);
const found = async (q: string, range = OCTUBRE) =>
  (await open(`${range}&q=${encodeURIComponent(q)}`)).ventana.filas
    .map(({ id }) => Object.keys(made).find((name) => made[name]!.id === id))
    .sort();

describe('Ordenes', () => {
  test('shows every sale of the range with its shipment and what holds it, newest first', async () => {
    const {
      ventana: { filas },
      totales,
    } = await open(OCTUBRE);
    expect(filas.map(({ numOrden }) => numOrden)).toEqual(
      ['facturada', 'invalida', 'devuelta', 'cancelada', 'carrito', 'normal'].map((name) => made[name]!.numOrden),
    );
    expect(filas[0]).toMatchObject({
      folio: 'ORD-4321',
      rfc: 'GAGJ800101QX1',
      reclamada: 'individual',
      facturado: '60.00',
      proveedorFacturas: [{ folio: 'FA/9988', reglaFactura: 'guion' }, { folio: '12' }],
    });
    expect(filas[1]).toMatchObject({ envio: null, folio: null, facturaId: null, proveedorFacturas: [] });
    // Cancelled and returned sales were paid 0.
    expect(totales).toMatchObject({ registros: 6, pagado: String(Money.of('5100.00')), facturado: '60.00' });
  });

  test('finds a sale by its number, the number of its cart, its title, and the folio or RFC of what invoices it', async () => {
    expect(await found('2000016000000777')).toEqual(['normal']);
    expect(await found('2000009000000555')).toEqual(['carrito']);
    expect(await found('2000009000000559')).toEqual(['carrito']);
    expect(await found('9000000555')).toEqual(['carrito']);
    expect(await found('grabador canales')).toEqual(['normal']);
    expect(await found('ORD-4321')).toEqual(['facturada']);
    expect(await found('4321')).toEqual(['facturada']);
    expect(await found('gagj800101qx1')).toEqual(['facturada']);
    expect(await found('gagj')).toEqual(['facturada']);
    expect(await found('fa/9988')).toEqual(['facturada']);
    expect(await found('zzqq')).toEqual([]);
  });

  test('tells how many it finds outside of its range, which are a press away', async () => {
    const setiembre = 'desde=2026-09-01&hasta=2026-09-30';
    const page = await open(`${setiembre}&q=grabador`);
    expect(page).toMatchObject({ totales: { registros: 0 }, enTodas: 1 });
    const everywhere = await open('rango=todas&q=grabador');
    expect(everywhere).toMatchObject({
      totales: { registros: 1 },
      enTodas: null,
      alcance: 'Busqué "grabador" en todas las fechas.',
      chips: [
        { texto: '«grabador»', quita: ['q'] },
        { texto: 'Todas las fechas', quita: ['desde', 'hasta', 'rango'] },
      ],
      aviso: null,
    });
    // Its later windows and its Excel ask for the same.
    const again = ordenesList.parse(new URLSearchParams(searchOf(everywhere.filtro)));
    expect(again).toEqual(everywhere.filtro);
    expect(ordenesList.excel.nombre(again)).toBe('Ordenes todas las fechas');
    // Nobody is asked twice: what was found whole was sought everywhere, and without a search nothing was.
    for (const q of ['2000016000000777', '']) expect((await open(`${setiembre}&q=${q}`)).enTodas).toBeNull();
  });

  test('all of time is searched and not listed', async () => {
    const { filtro } = await open('rango=todas');
    expect(filtro).toMatchObject(currentMonth());
  });

  test('a page that stands is not kept waiting for what is outside of its range, and asks for it', async () => {
    const asked = new Request(`http://trastienda.test/sa/ordenes?${OCTUBRE}&q=camara`, {
      headers: { 'sec-fetch-dest': 'empty' },
    });
    expect((await openList(db, ordenesList, asked, quien)).enTodas).toBe('aparte');
    const search = new URLSearchParams('desde=2026-09-01&hasta=2026-09-30&q=grabador');
    expect(await countInAllDates(db, ordenesList, search, { rol: 'sa' })).toEqual({ enTodas: 1 });
  });

  test('says what filters it beyond what it shows by itself', async () => {
    const textos = async (query: string) => (await open(query)).chips.map(({ texto }) => texto);
    expect(await textos('')).toEqual([]);
    expect(await textos('rango=esteMes')).toEqual([]);
    expect(await textos('rango=mesAnterior&q=camara')).toEqual(['«camara»', 'Mes anterior']);
    expect(await textos('desde=2024-10-03&hasta=2024-10-05')).toEqual(['03/10/2024 al 05/10/2024']);
  });

  test('looks for a whole number, RFC or folio in all dates and says so; for words in its range alone', async () => {
    const setiembre = 'desde=2026-09-01&hasta=2026-09-30';
    for (const q of ['2000016000000777', '#2000016000000777']) expect(await found(q, setiembre), q).toEqual(['normal']);
    for (const q of ['gagj800101qx1', 'ORD-4321', 'ord-4321', 'fa/9988'])
      expect(await found(q, setiembre), q).toEqual(['facturada']);
    for (const q of ['grabador canales', 'gagj', '4321', 'ORD-432', 'XAXX010101000'])
      expect(await found(q, setiembre), q).toEqual([]);
    const alcance = async (q: string) => (await open(`${setiembre}&q=${q}`)).alcance;
    expect(await alcance('2000016000000777')).toBe('Busqué "2000016000000777" en todas las fechas.');
    expect(await alcance('ORD-4321')).toBe('Busqué "ORD-4321" en todas las fechas.');
    // What looks like a folio and is none is a word, looked for in the range.
    expect(await alcance('grabador')).toBe('Busqué "grabador" del 01/09/2026 al 30/09/2026.');
    expect(await alcance('ORD-432')).toBe('Busqué "ORD-432" del 01/09/2026 al 30/09/2026.');
    expect(await alcance('')).toBeNull();
    expect(await found('ord-43')).toEqual(['facturada']);
    expect((await open(`${setiembre}&q=ORD-4321`)).totales).toMatchObject({ registros: 1, facturado: '60.00' });
    const filtro = ordenesList.parse(new URLSearchParams(`${setiembre}&q=fa/9988`));
    expect(ordenesList.excel.nombre(filtro, await ordenesList.entero(db, filtro))).toBe('Ordenes fa-9988');
    expect(ordenesList.excel.nombre(filtro)).toBe('Ordenes 2026-09-01 a 2026-09-30');
    // Another list of sales has its own conditions in all dates too.
    const canceladas = async (q: string) =>
      (await canceladasList.totals(db, canceladasList.parse(new URLSearchParams(`${setiembre}&q=${q}`)))).registros;
    expect(await canceladas(made.cancelada!.numOrden)).toBe(1);
    expect(await canceladas('2000016000000777')).toBe(0);
  });

  test('finds a sale by words of which one is in its title and another in what invoices it', async () => {
    const { titulo } = await db
      .selectFrom('orden')
      .select('titulo')
      .where('id', '=', made.facturada!.id)
      .executeTakeFirstOrThrow();
    expect(await found(`${titulo.split(' ')[0]} ord-4321`)).toEqual(['facturada']);
    expect(await found('grabador ord-4321')).toEqual([]);
  });

  test('sorts by each of its columns', async () => {
    for (const orden of ['fecha', '-fecha', 'orden', '-orden', 'titulo', '-titulo', 'pagado', '-pagado']) {
      expect((await open(`${OCTUBRE}&orden=${orden}`)).ventana.filas).toHaveLength(6);
    }
    expect((await open(`${OCTUBRE}&orden=-pagado`)).ventana.filas[0]!.id).toBe(made.facturada!.id);
  });

  test('says why an impossible range is not the one shown', async () => {
    const page = await open('desde=2026-10-31&hasta=2026-10-01');
    expect(page.aviso).toContain('posterior');
    expect(page.filtro.desde <= page.filtro.hasta).toBe(true);
    expect((await open(OCTUBRE)).aviso).toBeNull();
  });
});

test('Ordenes canceladas are the cancelled and the unfulfilled, with what was lost', async () => {
  const {
    ventana: { filas },
    totales,
  } = await openList(db, canceladasList, new Request(`http://trastienda.test/?${OCTUBRE}`), quien);
  expect(filas.map(({ id }) => id)).toEqual([made.devuelta!.id, made.cancelada!.id]);
  expect(filas.map(({ pagado, pagadoAbs }) => [pagado, pagadoAbs])).toEqual([
    ['0.00', '800.00'],
    ['0.00', '400.00'],
  ]);
  expect(totales).toMatchObject({ registros: 2, cancelado: '1200.00' });
});

test('Ordenes activas are those in preparation, of the last 91 days unless the address says otherwise', async () => {
  const {
    ventana: { filas },
  } = await openList(db, activasList, new Request(`http://trastienda.test/?${OCTUBRE}`), quien);
  expect(filas.every(({ estatus }) => estatus === 'enPreparacion')).toBe(true);
  expect(filas.map(({ id }) => id)).not.toContain(made.facturada!.id);
  const { desde, hasta } = activasList.parse(new URLSearchParams());
  expect((Date.parse(hasta) - Date.parse(desde)) / 86_400_000).toBe(91);
});

describe('the views that everybody finds', () => {
  const namesIn = async (query: string) =>
    (await open(query)).ventana.filas.map(({ id }) => Object.keys(made).find((name) => made[name]!.id === id)).sort();

  test('are rows of a state, which a chip says and takes away', async () => {
    expect(await namesIn(`${OCTUBRE}&cuales=sinFacturar`)).toEqual(['carrito', 'invalida', 'normal']);
    expect(await namesIn(`${OCTUBRE}&cuales=conProblema`)).toEqual(['cancelada', 'devuelta', 'invalida']);
    const page = await open(`${OCTUBRE}&cuales=sinFacturar`);
    expect(page.chips).toContainEqual({ texto: 'Sin facturar', quita: ['cuales'] });
    expect(searchOf(page.filtro)).toContain('cuales=sinFacturar');
    expect(await namesIn(`${OCTUBRE}&cuales=nada`)).toHaveLength(6);
    // What was typed whole is looked for by that alone.
    expect(await namesIn(`${OCTUBRE}&cuales=conProblema&q=2000016000000777`)).toEqual(['normal']);
  });

  test('tell what each sale leaves by its ledger, and which lose money', async () => {
    const id = made.normal!.id;
    const factura = { ordenId: id, proveedor: 'syscom', folio: 'CARA-1', monto: '90000.00' };
    await db.transaction().execute((trx) => createProveedorFactura(trx, factura, quien.id));
    expect(await namesIn(`${OCTUBRE}&cuales=pierdenDinero`)).toEqual(['normal']);
    const fila = (await open(`${OCTUBRE}&cuales=pierdenDinero`)).ventana.filas[0]!;
    const { queda, certeza } = (await readDinero(db, id))!;
    expect([fila.queda, fila.certeza]).toEqual([queda!.toFixed(2), certeza]);
    await db.deleteFrom('proveedorFactura').where('folio', '=', 'CARA-1').execute();
    expect(await namesIn(`${OCTUBRE}&cuales=pierdenDinero`)).toEqual([]);
  });

  test('are addresses: the name of one leads to what it says', async () => {
    const sent = await open('vista=porEnviar').catch((thrown: unknown) => thrown);
    expect((sent as Response).headers.get('Location')).toBe(
      '/sa/ordenes?vista=porEnviar&cuales=porEnviar&rango=ultimos91',
    );
  });

  test('tell how many rows each shows', async () => {
    const ahora = new Date();
    const { porEnviar: before } = await ordenesList.countFijas(db, {});
    await buildOrden(db, { fechaCreacion: ahora, estatus: 'enPreparacion', envio: { estatus: 'ready_to_ship' } });
    await buildOrden(db, { fechaCreacion: ahora, clase: 'invalida', sku: null, envio: { estatus: 'shipped' } });
    for (const [list, least] of [
      [ordenesList, { sinFacturar: 2, porEnviar: before! + 1, conProblema: 1 }],
      [facturasList, {}],
      [enviosList, { enCamino: 1 }],
    ] as const) {
      const counts = await list.countFijas(db, {});
      for (const { id, consulta } of list.fijas) {
        const { registros } = await list.totals(db, list.parse(new URLSearchParams(consulta)) as never);
        expect([id, counts[id]]).toEqual([id, registros]);
      }
      expect(counts).toMatchObject(least);
      expect(Object.keys(counts).length).toBeGreaterThan(1);
    }
  });
});
