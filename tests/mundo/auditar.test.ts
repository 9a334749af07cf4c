/** Who judges is judged: a world in order has no difference, and each fault is found by its property. */
import { expect, test } from 'vitest';
import type { SaleTruth } from '../sandbox/truth';
import type { CfdiTruth } from './afuera';
import { audit, PROPIEDADES, type Propiedad } from './auditar';
import { isBroken } from './cliente';

const NOW = Date.UTC(2026, 10, 20, 18);
const DAY = 86_400_000;

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
  const linea = (clave: string, importe: string) => ({ clave, importe, cierto: true });
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
    broken: [] as string[],
    rows: ['501', '502'].map((numOrden, at) => ({
      id: `u${numOrden}`,
      marketId: `1${numOrden}`,
      numOrden,
      clase: 'normal',
      situacion: 'pagada',
      meliResale: false,
      estimado: false,
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
        certeza: 'conocida',
      };
    if (path.startsWith('/api/v1/ordenes/')) return row(path);
    if (path.startsWith('/api/v1/pedidos/')) return at.compras.find(({ id }) => path.endsWith(id));
    if (path.startsWith('/api/v1/facturas/')) return at.facturas.find(({ id }) => path.endsWith(id));
    return path === '/api/v1/hoy' ? [{ clave: 'preguntas', total: at.hoy.total }] : { lineas: at.hoy.lineas };
  };
  const list = (path: string): unknown[] => {
    if (path.startsWith('/api/v1/ordenes')) return at.rows;
    if (path.startsWith('/api/v1/facturas')) return at.facturas;
    if (path.startsWith('/api/v1/preguntas')) return at.preguntasAqui;
    if (path.startsWith('/api/v1/reclamos')) return at.reclamosAqui;
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
      cfdis: () => Promise.resolve(at.cfdis),
      preguntas: () => Promise.resolve(at.preguntas),
      reclamos: () => Promise.resolve(at.reclamos),
      pedidos: (proveedor) => Promise.resolve(proveedor === 'ct' ? at.pedidos : []),
      xml: () =>
        Promise.resolve(
          `<cfdi:InformacionGlobal Mes="11"/><cfdi:Concepto NoIdentificacion="${numOrden}" Importe="${importe}"><cfdi:Traslado Base="1" Importe="${iva}"/></cfdi:Concepto>`,
        ),
    },
    0,
    at.compras.map(({ id }) => id),
  );
}

test('a world in order has no difference', async () => {
  expect(await told(world())).toEqual({ sales: 2, differences: [] });
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

test('each property finds a fault', () => {
  expect([...new Set(FAULTS.map(([propiedad]) => propiedad))].toSorted()).toEqual(Object.keys(PROPIEDADES).toSorted());
});
