/** Who judges is judged: a world in order has no difference, and each fault is found by its property. */
import { expect, test } from 'vitest';
import type { DepositTruth, SaleTruth, SupplierTruth } from '../sandbox/truth';
import type { CfdiTruth } from './afuera';
import { audit, PROPIEDADES, type Propiedad } from './auditar';
import { isBroken } from './cliente';

const NOW = Date.UTC(2026, 10, 20, 18);
const DAY = 86_400_000;

const deposit = (at: number, parts: Omit<DepositTruth, 'market' | 'at' | 'toldAt'>): DepositTruth => ({
  market: 'mercadolibre',
  at,
  toldAt: at + DAY / 2,
  ...parts,
});
const depositoAqui = (id: string, at: number, parts: { saldoAntes: string; suma: string; importe: string }) => ({
  id,
  market: 'ml',
  fecha: new Date(at).toISOString(),
  saldoDespues: '150.00',
  sinExplicar: '0.00',
  ...parts,
});

/** A line of a sale's money that is known. */
const linea = (clave: string, importe: string) => ({ clave, importe, cierto: true });

/** A sale of ten days ago, paid 1,160.00, with its CFDI of 1,160.00; and one that a living global charges. */
function world() {
  const sale = (numOrden: string, paid: number): SaleTruth => ({
    market: 'mercadolibre',
    numOrden,
    ids: [`1${numOrden}`],
    clases: ['normal'],
    soldAt: NOW - 10 * DAY,
    paid,
    refunded: 0,
    kept: { fee: 17_400, coupon: 0, shipping: 0, withheld: 10_500 },
    lines: [{ sku: 'AMS|1|syscom|X', pieces: 1, amount: paid }],
    rfc: null,
  });
  const cfdi = (UUID: string, NumOrder: string, RFC: string, total: number): CfdiTruth => ({
    NumOrder,
    UUID,
    RFC,
    total,
    tipoDocumento: 'factura',
    estado: 'vigente',
  });
  return {
    truths: [sale('501', 116_000), sale('502', 58_000)],
    cfdis: [cfdi('AAA', '501', 'XIA190128J61', 1_160), cfdi('GGG', 'global', 'XAXX010101000', 580)],
    global: { numOrden: '502', importe: '500.00', iva: '80.00' },
    pedidos: [
      { folio: 'P1', referencia: '77', total: '200.00' },
      { folio: 'P2', referencia: '78', total: '100.00' },
    ],
    compras: [
      { id: 'p1', numOrden: '501', proveedor: 'ct', folioProveedor: 'P1' },
      { id: 'p2', numOrden: '502', proveedor: 'ct', folioProveedor: 'P2' },
    ],
    preguntas: [
      { id: '9', status: 'ANSWERED', answer: { text: 'Sí.' } as { text: string } | null },
      { id: '10', status: 'UNANSWERED', answer: null },
      { id: '11', status: 'DELETED', answer: null },
    ],
    preguntasAqui: [
      { marketId: '9', estatus: 'respondida', respuesta: 'Sí.' as string | null },
      { marketId: '10', estatus: 'pendiente', respuesta: null },
    ],
    reclamos: [{ id: '70', status: 'opened' }],
    reclamosAqui: [{ marketId: '70', estatus: 'abierto' }],
    hoy: { total: 1, lineas: [{}] },
    deposits: [
      deposit(NOW - 9 * DAY, {
        before: 0,
        after: 15_000,
        amount: 85_000,
        lines: [{ numOrden: '400', amount: 100_000 }],
      }),
      deposit(NOW - 2 * DAY, {
        before: 15_000,
        after: 15_000,
        amount: 95_500,
        lines: [
          { numOrden: '501', amount: 60_000 },
          { numOrden: '502', amount: 40_000 },
          { numOrden: null, amount: -4_500 },
        ],
      }),
    ],
    depositosAqui: [
      depositoAqui('d1', NOW - 9 * DAY, { saldoAntes: '0.00', suma: '1000.00', importe: '850.00' }),
      depositoAqui('d2', NOW - 2 * DAY, { saldoAntes: '150.00', suma: '955.00', importe: '955.00' }),
    ],
    deposito: {
      ventas: [
        { numOrden: '501', importe: '600.00' },
        { numOrden: '502', importe: '150.00' },
        { numOrden: '502', importe: '250.00' },
      ],
      sinVenta: '-45.00',
    },
    supplier: {
      proveedor: 'ct',
      orders: [],
      invoices: [
        { folio: 'F1', order: 'P1', at: NOW - 8 * DAY, amount: 20_000, paid: 20_000 },
        { folio: 'F2', order: 'P2', at: NOW - 8 * DAY, amount: 10_000, paid: 4_000 },
      ],
      payments: [{ folio: 'SPEI-1', at: NOW - 7 * DAY, amount: 24_000 }],
      owed: 6_000,
    } satisfies SupplierTruth,
    porPagar: [
      { folio: 'F0', numOrden: '300', monto: '50.00', pagada: '0.00', falta: '50.00' },
      { folio: 'F2', numOrden: '502', monto: '100.00', pagada: '40.00', falta: '60.00' },
    ],
    cuenta: {
      hoy: { saldo: '110.00', porPagar: '110.00', pagosSinAplicar: '0.00', notasSinAplicar: '0.00' },
      movimientos: [
        { que: 'factura', folio: 'F0', detalle: '300', importe: '50.00' },
        { que: 'factura', folio: 'F1', detalle: '501', importe: '200.00' },
        { que: 'factura', folio: 'F2', detalle: '502', importe: '100.00' },
        { que: 'pago', folio: 'SPEI-1', detalle: null, importe: '-240.00' },
      ],
    },
    broken: [] as string[],
    rows: ['501', '502'].map((numOrden, at) => ({
      id: `u${numOrden}`,
      marketId: `1${numOrden}`,
      numOrden,
      clase: 'normal',
      situacion: 'pagada',
      meliResale: false,
      estimado: false,
      certeza: 'conocida',
      queda: (at === 0 ? '681.00' : '201.00') as string | null,
      panel: (at === 0 ? '681.00' : '201.00') as string | null,
      costos: [linea('costo:ct', at === 0 ? '-200.00' : '-100.00')],
      ingresos: [
        linea('venta', at === 0 ? '1160.00' : '580.00'),
        linea('comision', '-174.00'),
        linea('retencion', '-105.00'),
      ],
    })),
    facturas: [
      { id: 'f1', uuid: 'aaa', estatus: 'vigente' },
      { id: 'f2', uuid: 'ggg', estatus: 'vigente' },
    ],
    balance: [] as { numOrden: string; diferencia: string }[],
  };
}
type World = ReturnType<typeof world>;

function told(at: World) {
  const row = (path: string) => at.rows.find(({ id }) => path.includes(id))!;
  const get = (path: string): unknown => {
    if (path.endsWith('/dinero'))
      return {
        ingresos: row(path).ingresos,
        costos: row(path).costos,
        recibe: '881.00',
        recibeEstimado: row(path).estimado,
        queda: row(path).panel,
        certeza: row(path).certeza,
      };
    if (path.startsWith('/api/v1/ordenes/')) return row(path);
    if (path.startsWith('/api/v1/pedidos/')) return at.compras.find(({ id }) => path.endsWith(id));
    if (path.startsWith('/api/v1/conciliacion/depositos/')) return at.deposito;
    if (path.endsWith('/estado-de-cuenta')) return at.cuenta;
    if (path.startsWith('/api/v1/facturas/')) return at.facturas.find(({ id }) => path.endsWith(id));
    return path === '/api/v1/hoy' ? [{ clave: 'preguntas', total: at.hoy.total }] : { lineas: at.hoy.lineas };
  };
  const list = (path: string): unknown[] => {
    if (path.startsWith('/api/v1/ordenes')) return at.rows;
    if (path.startsWith('/api/v1/facturas')) return at.facturas;
    if (path.startsWith('/api/v1/preguntas')) return at.preguntasAqui;
    if (path.startsWith('/api/v1/reclamos')) return at.reclamosAqui;
    if (path.startsWith('/api/v1/conciliacion/depositos')) return at.depositosAqui;
    if (path.startsWith('/api/v1/porPagar')) return at.porPagar;
    return path.startsWith('/api/v1/mes/balance') ? at.balance : [];
  };
  const { numOrden, importe, iva } = at.global;
  return audit(
    {
      get: <T>(path: string) => Promise.resolve(get(path) as T),
      list: <T>(path: string) => Promise.resolve(list(path) as T[]),
      broken: at.broken,
    },
    {
      sales: () => Promise.resolve(at.truths),
      deposits: () => Promise.resolve(at.deposits),
      suppliers: () => Promise.resolve([at.supplier]),
      cfdis: () => Promise.resolve(at.cfdis),
      preguntas: () => Promise.resolve(at.preguntas),
      reclamos: () => Promise.resolve(at.reclamos),
      pedidos: (proveedor) => Promise.resolve(proveedor === 'ct' ? at.pedidos : []),
      xml: () =>
        Promise.resolve(
          `<cfdi:InformacionGlobal Mes="11"/><cfdi:Concepto NoIdentificacion="${numOrden}" Importe="${importe}"><cfdi:Traslado Base="1" Importe="${iva}"/></cfdi:Concepto>`,
        ),
    },
    { now: NOW, since: NOW - 20 * DAY, compras: at.compras.map(({ id }) => id) },
  );
}

test('a world in order has no difference', async () => {
  expect(await told(world())).toEqual({ sales: 2, deposits: 1, invoices: 2, differences: [] });
});

test('a cost that is estimated before anything was bought is no difference', async () => {
  const at = world();
  at.compras.pop();
  const costos = [{ ...linea('catalogo:ct', '-100.00'), cierto: false }];
  Object.assign(at.rows[1]!, { costos, certeza: 'estimada' });
  expect((await told(at)).differences.filter(({ propiedad }) => propiedad === 'dinero.costo')).toEqual([]);
});

const FAULTS: [Propiedad, what: string, (at: World) => void][] = [
  ['venta.esta', 'a sale that never appeared', (at) => void at.rows.pop()],
  ['venta.esta', 'a sale that stands twice', (at) => void at.rows.push({ ...at.rows[0]!, id: 'u503' })],
  ['venta.esta', 'a sale that no marketplace has', (at) => void at.truths.pop()],
  ['venta.clase', 'a returned sale that counts as paid', (at) => (at.truths[0]!.clases = ['devuelta'])],
  ['dinero.pagado', 'a refund that nobody read', (at) => (at.truths[0]!.paid -= 2_500)],
  ['dinero.retenido', 'a fee of 0', (at) => (at.truths[0]!.kept!.fee = 0)],
  ['dinero.sabido', 'a fee that nobody said, told as known', (at) => (at.truths[0]!.kept = null)],
  ['dinero.costo', 'a cost without its IVA', (at) => (at.pedidos[0]!.total = '232.00')],
  ['dinero.costo', 'a cost of a sale that bought nothing', (at) => void at.compras.pop()],
  [
    'dinero.costo',
    'a cost of 0 where nothing was bought',
    (at) => {
      at.compras.pop();
      Object.assign(at.rows[1]!, { costos: [], queda: '301.00', panel: '301.00' });
    },
  ],
  [
    'dinero.costo',
    'a price of a catalogue that is told as known',
    (at) => {
      at.compras.pop();
      Object.assign(at.rows[1]!, { costos: [linea('catalogo:ct', '-100.00')], certeza: 'estimada' });
    },
  ],
  ['dinero.listas', 'two screens with two profits', (at) => (at.rows[0]!.panel = '680.99')],
  [
    'dinero.listas',
    'lines that do not add up',
    (at) => Object.assign(at.rows[0]!, { queda: '681.01', panel: '681.01' }),
  ],
  ['cfdi.uno', 'two CFDI of one sale', (at) => void at.cfdis.push({ ...at.cfdis[0]!, UUID: 'BBB' })],
  ['cfdi.uno', 'an invoiced sale in a global', (at) => (at.global.numOrden = '501')],
  ['cfdi.sabido', 'a CFDI that nobody here knows', (at) => void at.facturas.pop()],
  ['cfdi.sabido', 'a CFDI cancelled at the SAT that is alive here', (at) => (at.cfdis[0]!.estado = 'cancelada')],
  ['cfdi.total', 'a global that charges a cent too much', (at) => (at.global.iva = '80.01')],
  ['cfdi.total', 'a global that misses a sale', (at) => (at.global.numOrden = '999')],
  ['deposito.esta', 'a deposit that never appeared', (at) => void at.depositosAqui.pop()],
  ['deposito.esta', 'a deposit that no marketplace made', (at) => void at.deposits.pop()],
  ['deposito.esta', 'a deposit that stands twice', (at) => void at.depositosAqui.push(at.depositosAqui[1]!)],
  ['deposito.esta', 'a deposit of another amount', (at) => (at.depositosAqui[1]!.importe = '955.01')],
  ['deposito.esta', 'movements that went into another deposit', (at) => (at.depositosAqui[1]!.suma = '1055.00')],
  ['deposito.esta', 'an amount that nothing explains', (at) => (at.depositosAqui[1]!.sinExplicar = '0.01')],
  ['deposito.esta', 'an opening balance that hides a loss', (at) => (at.depositosAqui[0]!.saldoAntes = '0.01')],
  [
    'deposito.ventas',
    'a movement that is of no sale here',
    (at) => (at.deposito = { ventas: at.deposito.ventas.slice(0, 2), sinVenta: '205.00' }),
  ],
  ['deposito.ventas', 'a movement of another sale', (at) => (at.deposito.ventas[2]!.numOrden = '501')],
  ['deposito.ventas', 'an advertisement charged to a sale', (at) => (at.deposito.sinVenta = '0.00')],
  [
    'deposito.ventas',
    'a sale in a deposit that it is not of',
    (at) => void at.deposito.ventas.push({ numOrden: '503', importe: '1.00' }),
  ],
  ['deuda.esta', 'an invoice that nobody owes here', (at) => void at.porPagar.pop()],
  [
    'deuda.esta',
    'a part that counts as the whole',
    (at) => Object.assign(at.porPagar[1]!, { pagada: '100.00', falta: '0.00' }),
  ],
  ['deuda.esta', 'a paid invoice that is owed', (at) => (at.supplier.invoices[1]!.paid = 10_000)],
  ['deuda.esta', 'an invoice that no supplier made', (at) => void at.supplier.invoices.pop()],
  ['deuda.esta', 'a payment that the account forgets', (at) => void at.cuenta.movimientos.pop()],
  [
    'deuda.esta',
    'an invoice that the account tells twice',
    (at) => void at.cuenta.movimientos.push(at.cuenta.movimientos[1]!),
  ],
  ['deuda.esta', 'an account that owes more than its list', (at) => (at.cuenta.hoy.porPagar = '111.00')],
  ['deuda.esta', 'a balance that does not follow from what is owed', (at) => (at.cuenta.hoy.saldo = '0.00')],
  ['pregunta.esta', 'a question that never appeared', (at) => void at.preguntasAqui.pop()],
  ['pregunta.esta', 'an answer that never left', (at) => (at.preguntas[0]!.answer = null)],
  ['pregunta.esta', 'an answered question that waits here', (at) => (at.preguntasAqui[0]!.estatus = 'pendiente')],
  ['reclamo.esta', 'a claim that never appeared', (at) => void at.reclamosAqui.pop()],
  ['reclamo.esta', 'a claim that ended there and not here', (at) => (at.reclamos[0]!.status = 'closed')],
  ['pedido.uno', 'an order bought twice', (at) => void at.pedidos.push({ ...at.pedidos[0]!, folio: 'P3' })],
  ['puerta.sin500', 'an answer of 500', (at) => void at.broken.push('GET /api/v1/ordenes → 500')],
  ['hoy.cuenta', 'a card that counts more than it holds', (at) => (at.hoy.total = 2)],
];

test.each(FAULTS)('%s finds %s', async (propiedad, _, plant) => {
  const at = world();
  plant(at);
  expect((await told(at)).differences.map((one) => one.propiedad)).toContain(propiedad);
});

test.each([
  [500, {}, true],
  [503, {}, true],
  [502, { 'retry-after': '5' }, true],
  [503, { 'retry-after': '5' }, false],
  [422, {}, false],
])('an answer of %i with %j is broken: %s', (status, headers, broken) => {
  expect(isBroken({ status, headers: new Headers(headers as Record<string, string>) })).toBe(broken);
});

test('an estimate is held against nothing', async () => {
  const at = world();
  at.truths[0]!.kept!.fee = 0;
  at.rows[0]!.estimado = true;
  expect((await told(at)).differences).toEqual([]);
});

test('what is of a sale that never stood here is of no sale, or of it', async () => {
  const at = world();
  at.deposits[1]!.lines.push({ numOrden: '999', amount: 1_000 }, { numOrden: '998', amount: -1_000 });
  at.deposito.ventas.push({ numOrden: '998', importe: '-10.00' });
  at.deposito.sinVenta = '-35.00';
  expect((await told(at)).differences).toEqual([]);
  at.deposito.ventas.at(-1)!.importe = '-9.99';
  expect((await told(at)).differences).toMatchObject([{ propiedad: 'deposito.ventas', numOrden: '998' }]);
});

test('a deposit that was told an hour ago may come yet', async () => {
  const at = world();
  at.deposits[1]!.toldAt = NOW - 3_600_000;
  at.depositosAqui.pop();
  expect((await told(at)).differences).toEqual([]);
});

test('each property finds a fault', () => {
  expect([...new Set(FAULTS.map(([propiedad]) => propiedad))].toSorted()).toEqual(Object.keys(PROPIEDADES).toSorted());
});
