/** Why the profit changed: each cause counted by hand, and all of them together to the cent over random sales. */
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { comparacionOf, tramosOf, type Comparacion } from '~/domain/cierre/reportes/cambio';
import { readCambio } from '~/domain/cierre/reportes/cambio.server';
import { llenarReporteList } from '~/domain/cierre/reportes/utilidadLists.server';
import { postLibros } from '~/domain/ventas/libro/asentar.server';
import type { Clase, Market } from '~db/columns';
import { buildTomado } from '../../../support/builders/pedidos';
import { testDatabase } from '../../../support/db';
import { luck } from '../../../faults/support/scene';

const { db } = testDatabase();
const NOW = new Date('2026-11-28T20:10:00Z');

type Venta = {
  market?: Market;
  clase?: Clase;
  pagado?: string;
  comision?: string | null;
  retencion?: string;
  /** Its supplier's invoice; null where nobody knows its cost. */
  costo?: string | null;
  envio?: string | null;
  /** SKU and pieces of each line. */
  articulos?: [sku: string, cantidad: number][];
  titulo?: string;
};
let count = 0;

/** A sale at noon of a day: 1,000.00 paid, 100.00 of commission and 500.00 of cost leave 400.00. */
async function venta(
  day: string,
  {
    market = 'ml',
    clase = 'normal',
    pagado = '1000.00',
    comision = '100.00',
    retencion = '0.00',
    costo = '500.00',
    envio = null,
    articulos = [['A', 1]],
    titulo = 'Cámara',
  }: Venta = {},
): Promise<string> {
  const marketId = String(2_000_000_000_000_000 + ++count);
  const fechaCreacion = new Date(`${day}T18:00:00Z`);
  const envioId =
    envio &&
    (
      await db
        .insertInto('envio')
        .values({
          market,
          marketId: `e${count}`,
          estatus: 'shipped',
          costo: envio,
          fechaCreacion,
          actualizadoEn: fechaCreacion,
          datos: '{}',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const { id } = await db
    .insertInto('orden')
    .values({
      market,
      marketId,
      numOrden: marketId,
      fechaCreacion,
      actualizadaEn: fechaCreacion,
      estatus: 'enPreparacion',
      marketStatus: 'paid',
      situacion: 'pagada',
      clase,
      titulo,
      total: pagado,
      pagadoAbs: pagado,
      comision,
      retencion,
      envioId,
      datos: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const [posicion, [sku, cantidad]] of articulos.entries())
    await db
      .insertInto('articulo')
      .values({
        ordenId: id,
        posicion,
        nombre: titulo,
        sku: `AMS|1|syscom|${sku}`,
        cantidad,
        importe: pagado,
        precioUnitario: pagado,
      })
      .execute();
  if (costo !== null)
    await db
      .insertInto('proveedorFactura')
      .values({ ordenId: id, proveedor: 'syscom', folio: `A-${count}`, monto: costo })
      .execute();
  return id;
}

/** An order at a supplier that was taken: its price is the cost until the invoice comes. */
const pedir = (ordenId: string) => buildTomado(db, { ordenId, numOrden: ordenId, precio: '400.00' });

const leer = (pedido: Comparacion) => readCambio(db, pedido, NOW);

/** The change of a day against the day before, in a month of its own for each test. */
async function cambio(mes: string, antes: Venta[], ahora: Venta[]) {
  for (const una of antes) await venta(`${mes}-10`, una);
  for (const una of ahora) await venta(`${mes}-11`, una);
  const leido = await leer({ paso: 'dia', contra: 'anterior', el: `${mes}-11` });
  const causas = Object.fromEntries(leido.causas.map(({ causa, importe }) => [causa, importe.toFixed(2)]));
  return { ...leido, causas, detalle: leido.causas };
}
const NADA = { precio: '0.00', mezcla: '0.00', comision: '0.00', costo: '0.00', envio: '0.00' };

describe('each cause, counted by hand', () => {
  test('a price that rises takes its commission along, and the rest is price', async () => {
    const { causas, diferencia } = await cambio('2025-01', [{}], [{ pagado: '1100.00', comision: '110.00' }]);
    expect(causas).toEqual({ ...NADA, precio: '90.00' });
    expect(diferencia!.toFixed(2)).toBe('90.00');
  });

  test('a piece more leaves what a piece left before, in one sale or in several', async () => {
    const dos = { pagado: '2000.00', comision: '200.00', costo: '1000.00', articulos: [['A', 2]] } as Venta;
    const { causas } = await cambio('2025-02', [dos], [dos, {}]);
    expect(causas).toEqual({ ...NADA, mezcla: '400.00' });
  });

  test('a product without a counterpart goes whole into the mix, and so does the same one at another marketplace', async () => {
    const { causas, sinPar, comunes } = await cambio(
      '2025-03',
      [{ articulos: [['A', 1]], costo: '550.00' }],
      [
        { articulos: [['B', 1]], pagado: '1500.00' },
        { articulos: [['A', 1]], market: 'amz', pagado: '1200.00' },
      ],
    );
    // 900.00 and 600.00 came, 350.00 went.
    expect(causas).toEqual({ ...NADA, mezcla: '1150.00' });
    expect([sinPar.toFixed(2), comunes]).toEqual(['1150.00', 0]);
  });

  test('a basket is a product of its own: what stands beside a piece does not raise its price', async () => {
    const cesta: Venta = {
      pagado: '1800.00',
      articulos: [
        ['A', 1],
        ['B', 1],
      ],
    };
    const { causas } = await cambio('2025-04', [{}], [{}, cesta]);
    expect(causas).toEqual({ ...NADA, mezcla: '1200.00' });
    const { articulos } = cesta;
    const alReves = await cambio(
      '2025-05',
      [cesta],
      [{ ...cesta, pagado: '1900.00', articulos: articulos!.toReversed() }],
    );
    expect(alReves.causas, 'whatever the order of its lines').toMatchObject({ mezcla: '0.00' });
    expect(alReves.comunes).toBe(1);
  });

  test('a larger share of what is sold is commission, and a withholding is part of it', async () => {
    const { causas } = await cambio('2025-06', [{}], [{ comision: '150.00', retencion: '80.00' }]);
    expect(causas).toEqual({ ...NADA, comision: '-130.00' });
  });

  test('what a piece costs is cost, by the piece', async () => {
    const tres = { pagado: '3000.00', comision: '300.00', costo: '1350.00', articulos: [['A', 3]] } as Venta;
    const { causas } = await cambio('2025-07', [{}], [tres]);
    // Two pieces more at 400.00, and three that cost 50.00 less each.
    expect(causas).toEqual({ ...NADA, mezcla: '800.00', costo: '150.00' });
  });

  test('the shipment of a piece is shipping, and what a returned sale leaves lies beside it', async () => {
    const { causas, devoluciones, sinPar } = await cambio(
      '2025-08',
      [{ envio: '80.00' }],
      [{ envio: '120.00' }, { clase: 'devuelta', costo: '300.00' }],
    );
    // 40.00 more for the shipment; the returned sale cost 300.00 and its commission.
    expect(causas).toEqual({ ...NADA, envio: '-440.00' });
    expect([devoluciones.toFixed(2), sinPar.toFixed(2)]).toEqual(['-400.00', '0.00']);
  });

  test('what was given back of a sale that stands is a return, not a commission', async () => {
    await venta('2025-09-10');
    const id = await venta('2025-09-11');
    await db
      .insertInto('conciliacion')
      .values({
        ordenId: id,
        market: 'ml',
        fecha: new Date(),
        movimientos: 3,
        eCobrado: '1000.00',
        eComision: '-100.00',
        eEnvio: '0',
        eRetencion: '0',
        rCobrado: '1000.00',
        rDevuelto: '-200.00',
        rComision: '-100.00',
        rEnvio: '0',
        rIva: '0',
        rIsr: '0',
        rRetencion: '0',
        rOtros: '0',
        completa: true,
      })
      .execute();
    await sql`update orden set liquidado = 700, pagado_abs = 800, situacion = 'devueltaEnParte' where id = ${id}`.execute(
      db,
    );
    await postLibros(db, [id]);
    const { causas } = await cambio('2025-09', [], []);
    expect(causas).toEqual({ ...NADA, envio: '-200.00' });
  });

  test('the cents of rounding lie in the mix', async () => {
    const tres = { pagado: '100.00', comision: '0.00', costo: '0.02', articulos: [['A', 3]] } as Venta;
    const { causas, diferencia } = await cambio(
      '2025-10',
      [tres],
      [{ pagado: '50.00', comision: '0.00', costo: '0.01' }],
    );
    // 16.67 for 16.666…, 0.00 for a third of a cent, and the mix, by itself −66.65 for −66.653…, has the cent that lacks.
    expect(diferencia!.toFixed(2)).toBe('-49.99');
    expect(causas).toEqual({ ...NADA, precio: '16.67', mezcla: '-66.66' });
  });

  test('the products that moved a cause most are named, the largest first', async () => {
    const { detalle } = await cambio(
      '2025-11',
      ['A', 'B', 'C', 'D', 'E'].map((sku) => ({ articulos: [[sku, 1]] })),
      [
        { articulos: [['A', 1]], titulo: 'Uno', costo: '490.00' },
        { articulos: [['B', 1]], titulo: 'Dos', costo: '700.00' },
        { articulos: [['C', 1]], titulo: 'Tres', costo: '450.00' },
        { articulos: [['D', 1]], titulo: 'Cuatro', costo: '470.00' },
        { articulos: [['E', 1]], titulo: 'Cinco' },
      ],
    );
    const costo = detalle.find(({ causa }) => causa === 'costo')!;
    expect(costo.productos.map(({ importe }) => importe.toFixed(2))).toEqual(['-200.00', '50.00', '30.00']);
    expect(detalle.find(({ causa }) => causa === 'precio')!.productos).toEqual([]);
  });
});

describe('what is not known', () => {
  test('a sale of unknown profit is left out and counted', async () => {
    const { ahora, antes, causas } = await cambio('2024-01', [{}, { costo: null }], [{}, {}, { costo: null }]);
    expect(ahora).toMatchObject({ ventas: 3, conUtilidad: 2, estimadas: 0 });
    expect(antes).toMatchObject({ ventas: 2, conUtilidad: 1 });
    expect([ahora.queda!.toFixed(2), antes.queda!.toFixed(2)]).toEqual(['800.00', '400.00']);
    expect(causas).toEqual({ ...NADA, mezcla: '400.00' });
  });

  test('a period of which nobody knows any profit has none, and nothing is compared with it', async () => {
    const leido = await cambio('2024-02', [{ costo: null }], [{}]);
    expect([leido.antes.queda, leido.diferencia, leido.detalle]).toEqual([null, null, []]);
  });

  test('a period without sales left 0', async () => {
    const { antes, causas, diferencia } = await cambio('2024-03', [], [{}]);
    expect([antes.queda!.toFixed(2), diferencia!.toFixed(2), causas.mezcla]).toEqual(['0.00', '400.00', '400.00']);
  });

  test.each([
    ['a commission', '2024-04', { comision: null }, ['precio', 'mezcla', 'comision']],
    ['nothing', '2024-05', {}, []],
  ] as const)('where %s is estimated, the causes with it say so', async (_, mes, sketch, dichas) => {
    const { detalle, ahora } = await cambio(mes, [{}], [sketch]);
    expect(ahora.estimadas).toBe(dichas.length > 0 ? 1 : 0);
    expect(detalle.filter(({ estimada }) => estimada).map(({ causa }) => causa)).toEqual(dichas);
  });

  test('where a cost or a shipment is estimated, its cause says so', async () => {
    await venta('2024-06-10');
    const [conPedido, sinEnvio] = [
      await venta('2024-06-11', { costo: null }),
      await venta('2024-06-11', { envio: '1.00' }),
    ];
    await pedir(conPedido);
    const marcadas = async () =>
      (await leer({ paso: 'dia', contra: 'anterior', el: '2024-06-11' })).causas
        .filter(({ estimada }) => estimada)
        .map(({ causa }) => causa);
    expect(await marcadas()).toEqual(['mezcla', 'costo']);
    await sql`update envio set costo = null where id = (select envio_id from orden where id = ${sinEnvio})`.execute(db);
    expect(await marcadas()).toEqual(['mezcla', 'costo', 'envio']);
  });
});

test('what is estimated of a returned sale marks the returns alone', async () => {
  await venta('2024-08-10');
  await venta('2024-08-11');
  await pedir(await venta('2024-08-11', { clase: 'devuelta', costo: null }));
  const { causas, ahora } = await leer({ paso: 'dia', contra: 'anterior', el: '2024-08-11' });
  expect(ahora.estimadas).toBe(1);
  expect(causas.filter(({ estimada }) => estimada).map(({ causa }) => causa)).toEqual(['envio']);
});

describe('the periods', () => {
  const dias = (pedido: Comparacion, now = NOW) => {
    const { ahora, antes, enCurso } = tramosOf(comparacionOf(pedido, now), now);
    return [ahora.desde, ahora.hasta, antes.desde, antes.hasta, enCurso];
  };
  test.each([
    ['dia', 'mismoDia', '2026-10-15', ['2026-10-15', '2026-10-15', '2026-10-08', '2026-10-08', false]],
    ['dia', 'anterior', '2026-10-01', ['2026-10-01', '2026-10-01', '2026-09-30', '2026-09-30', false]],
    ['dia', 'anio', '2026-10-15', ['2026-10-15', '2026-10-15', '2025-10-16', '2025-10-16', false]],
    ['semana', 'anterior', '2026-10-18', ['2026-10-12', '2026-10-18', '2026-10-05', '2026-10-11', false]],
    ['semana', 'anio', '2026-10-12', ['2026-10-12', '2026-10-18', '2025-10-13', '2025-10-19', false]],
    ['mes', 'anterior', '2026-03-15', ['2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28', false]],
    ['mes', 'anio', '2025-02-15', ['2025-02-01', '2025-02-28', '2024-02-01', '2024-02-29', false]],
    // What still runs is compared with as much of the other; a day that has not come is today.
    ['mes', 'anterior', '2027-05-01', ['2026-11-01', '2026-11-28', '2026-10-01', '2026-10-28', true]],
    ['semana', 'anterior', '2026-11-28', ['2026-11-23', '2026-11-28', '2026-11-16', '2026-11-21', true]],
  ] as const)('of a %s against %s', (paso, contra, el, esperado) => {
    expect(dias({ paso, contra, el })).toEqual(esperado);
  });

  test('what runs ends now, and the other one at the same hour of its day', () => {
    const { ahora, antes } = tramosOf({ paso: 'dia', contra: 'mismoDia', el: '2026-11-28' }, NOW);
    expect([ahora.range.to, antes.range.to].map((to) => to.toISOString())).toEqual([
      '2026-11-28T20:10:00.000Z',
      '2026-11-21T20:10:00.000Z',
    ]);
  });

  test('a month that is longer than the other is compared with all of it', () => {
    const pedido = { paso: 'mes', contra: 'anterior', el: '2026-03-31' } as const;
    const { antes } = tramosOf(pedido, new Date('2026-03-31T20:00:00Z'));
    expect([antes.hasta, antes.range.to.toISOString()]).toEqual(['2026-02-28', '2026-03-01T06:00:00.000Z']);
  });

  test('only a day has a weekday, which is its usual comparison', () => {
    const contra = (pedido: Parameters<typeof comparacionOf>[0]) => comparacionOf(pedido, NOW).contra;
    expect([contra({ paso: 'mes', contra: 'mismoDia' }), contra({ paso: 'semana' }), contra({ paso: 'dia' })]).toEqual([
      'anterior',
      'anterior',
      'mismoDia',
    ]);
    expect(contra({ paso: 'dia', contra: 'anio' })).toBe('anio');
  });

  test('a sale of one minute before midnight is of its own day', async () => {
    const id = await venta('2024-07-10');
    await db
      .updateTable('orden')
      .set({ fechaCreacion: new Date('2024-07-11T05:59:00Z') })
      .where('id', '=', id)
      .execute();
    const { ahora, antes } = await cambio('2024-07', [], [{}]);
    expect([ahora.ventas, antes.ventas]).toEqual([1, 1]);
  });
});

/** The sums of the report of a day, which people compare the periods with. */
async function reporte(day: string) {
  const { registros, utilidad, conUtilidad, estimada, conEstimada } = await llenarReporteList.totals(
    db,
    llenarReporteList.parse(new URLSearchParams({ desde: day, hasta: day })),
  );
  return {
    ventas: registros,
    conUtilidad: conUtilidad + conEstimada,
    queda: Money.of(utilidad).plus(Money.of(estimada)),
  };
}

type Suma = { piezas: number; vendido: number; comision: number; costo: number; envio: number; queda: number };

/** The causes between two days, product by product with plain numbers: slow, and good to a cent. */
async function causasBySum(antes: string, ahora: string) {
  const ventas = await db
    .selectFrom('libroVenta')
    .innerJoin('orden', 'orden.id', 'libroVenta.ordenId')
    .select(['orden.id', 'orden.market', 'orden.clase', 'recibe', 'costo', 'queda'])
    .select(sql<string>`(fecha at time zone 'America/Mexico_City')::date::text`.as('dia'))
    .where('certeza', '<>', 'desconocida')
    .execute();
  const productos = new Map<string, Partial<Record<string, Suma>>>();
  let devoluciones = 0;
  for (const { id, market, clase, dia, ...una } of ventas.filter(({ dia }) => [antes, ahora].includes(dia))) {
    const [recibe, costo, queda] = [una.recibe, una.costo, una.queda].map(Number);
    if (clase === 'cancelada' || clase === 'devuelta') {
      devoluciones += dia === ahora ? queda! : -queda!;
      continue;
    }
    const lineas = await db.selectFrom('articulo').select(['sku', 'cantidad']).where('ordenId', '=', id).execute();
    const asientos = await db.selectFrom('asiento').select(['de', 'a', 'importe']).where('ordenId', '=', id).execute();
    const sumOf = (some: (asiento: (typeof asientos)[number]) => boolean) =>
      asientos.filter(some).reduce((suma, { importe }) => suma + Number(importe), 0);
    const vendido = sumOf(({ de }) => de === 'venta');
    const envio = sumOf(({ a }) => a === 'envio' || a === 'venta');
    const [cual, piezas] =
      lineas.length === 1
        ? [lineas[0]!.sku, lineas[0]!.cantidad]
        : [
            lineas
              .map(({ sku, cantidad }) => `${sku} ${cantidad}`)
              .sort()
              .join(),
            1,
          ];
    const lados = productos.get(`${market} ${cual}`) ?? {};
    productos.set(`${market} ${cual}`, lados);
    const suma = (lados[dia] ??= { piezas: 0, vendido: 0, comision: 0, costo: 0, envio: 0, queda: 0 });
    suma.piezas += piezas;
    suma.vendido += vendido;
    suma.comision += vendido - envio - recibe!;
    suma.costo += costo!;
    suma.envio += envio;
    suma.queda += queda!;
  }
  const causas = { precio: 0, mezcla: 0, comision: 0, costo: 0, envio: devoluciones };
  for (const lados of productos.values()) {
    const [a, b] = [lados[antes], lados[ahora]];
    if (!a || !b) {
      causas.mezcla += (b?.queda ?? 0) - (a?.queda ?? 0);
      continue;
    }
    const mas = b.piezas / a.piezas;
    const tasa = a.comision / a.vendido;
    causas.precio += (b.vendido - a.vendido * mas) * (1 - tasa);
    causas.mezcla += a.queda * (mas - 1);
    causas.comision += b.vendido * tasa - b.comision;
    causas.costo += a.costo * mas - b.costo;
    causas.envio += a.envio * mas - b.envio;
  }
  return causas;
}

test.each([1, 2, 3, 4, 5])(
  'the five causes of random sales add up to the difference of their reports, to the cent (%i)',
  async (seed) => {
    const random = luck(seed);
    const upTo = (n: number) => Math.floor(random() * n);
    const pesos = (most: number) => (upTo(most * 100) / 100 + 0.01).toFixed(2);
    const [antes, ahora] = [`2023-0${seed}-10`, `2023-0${seed}-11`];
    for (let n = 0; n < 60; n++) {
      const articulos = Array.from(
        { length: random() < 0.15 ? 2 : 1 },
        () => [`P${upTo(4)}`, 1 + upTo(3)] satisfies [string, number],
      );
      await venta(random() < 0.5 ? antes : ahora, {
        market: random() < 0.7 ? 'ml' : 'amz',
        clase: random() < 0.8 ? 'normal' : random() < 0.5 ? 'devuelta' : 'cancelada',
        pagado: pesos(3000),
        comision: random() < 0.1 ? null : pesos(300),
        retencion: pesos(90),
        costo: random() < 0.15 ? null : pesos(2000),
        envio: random() < 0.5 ? pesos(150) : null,
        articulos,
      });
    }
    const leido = await leer({ paso: 'dia', contra: 'anterior', el: ahora });
    const [suyo, deAntes] = [await reporte(ahora), await reporte(antes)];
    expect(leido.ahora).toMatchObject({ ventas: suyo.ventas, conUtilidad: suyo.conUtilidad });
    expect(leido.antes).toMatchObject({ ventas: deAntes.ventas, conUtilidad: deAntes.conUtilidad });
    const suma = Money.sum(leido.causas.map(({ importe }) => importe));
    expect(suma.toFixed(6)).toBe(suyo.queda.minus(deAntes.queda).toFixed(6));
    expect(leido.causas.every(({ importe }) => importe.equals(importe.cents()))).toBe(true);
    expect(leido.comunes, 'there is something to compare').toBeGreaterThan(2);
    const esperadas = await causasBySum(antes, ahora);
    for (const { causa, importe } of leido.causas)
      expect(Math.abs(Number(importe) - esperadas[causa]), causa).toBeLessThan(0.03);
  },
);
