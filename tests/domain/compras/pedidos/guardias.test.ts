import { describe, expect, test } from 'vitest';
import { Money } from '~/core/money';
import {
  detallesOf,
  impedimentoOf,
  type LineaMirada,
  margenMinimo,
  type Mirada,
  needsMotivo,
  review,
  type Severidad,
  type VentaMirada,
} from '~/domain/compras/pedidos/internal/guardias';

const AHORA = new Date('2026-11-23T18:00:00Z');
const pesos = (text: string) => ({ precio: Money.of(text), moneda: 'MXN' as const, sinPrecio: null, tipoCambio: null });

const venta = (sketch: Partial<VentaMirada> = {}): VentaMirada => ({
  numOrden: '2000',
  viva: true,
  pagada: true,
  devueltaEnParte: false,
  recibe: Money.of('180'),
  estimado: false,
  pagado: Money.of('232'),
  facturas: [],
  ...sketch,
});
const leido = (sketch: Partial<NonNullable<LineaMirada['leido']>> = {}): LineaMirada['leido'] => ({
  en: new Date(AHORA.getTime() - 2 * 60_000),
  falla: null,
  enVenta: true,
  ofrecido: pesos('100'),
  existencia: 5,
  tope: false,
  ...sketch,
});
const linea = (sketch: Partial<LineaMirada> = {}): LineaMirada => ({
  nombre: 'DS-2CE10',
  cantidad: 1,
  leido: leido(),
  antes: { importe: Money.of('100'), moneda: 'MXN' },
  stock: { disponibles: [], yaSalen: 0 },
  ...sketch,
});
const ENVIO: NonNullable<Mirada['envio']> = {
  propio: false,
  fuera: null,
  falta: [],
  otraEn: null,
  guia: { clase: 'lista' },
  proveedores: ['CT'],
};
const mirada = (sketch: Partial<Mirada> = {}): Mirada => ({
  ahora: AHORA,
  proveedor: 'CT',
  ventas: [venta()],
  envio: ENVIO,
  lineas: [linea()],
  saleDe: { tienda: 'Mercado Libre', lugares: [] },
  lleva: 'api',
  otros: [],
  faltaElegir: [],
  sinLugar: null,
  enUnAlmacen: true,
  ...sketch,
});
const ESPERA = { clase: 'espera' as const, porque: 'Mercado Libre todavía no libera la guía.' };

test('what speaks against nothing may go, and tells what it costs and leaves', () => {
  const revision = review(mirada(), 'user');
  expect(revision.hallazgos).toEqual([]);
  expect([revision.costo, revision.queda, revision.margen].map(String)).toEqual(['116.00', '64.00', '0.28']);
  expect(revision.margen?.toFixed(6)).toBe('0.275862');
  expect(impedimentoOf(revision, null)).toBeNull();
});

const CASES: [string, Partial<Mirada>, Severidad, string][] = [
  ['cancelled', { ventas: [venta({ viva: false })] }, 'detiene', 'La venta 2000 fue cancelada o devuelta.'],
  [
    'to an address that the marketplace has changed since a person wrote it',
    { envio: { ...ENVIO, propio: true, guia: null, otraEn: 'Amazon' } },
    'motivo',
    'Amazon tiene ahora otra dirección que la escrita aquí, y el paquete iría a esta: elige una en los datos de envío de la venta.',
  ],
  [
    'whose supplier asks for a telephone that the marketplace hides',
    { lleva: 'pedido', envio: { ...ENVIO, falta: ['un teléfono de 10 dígitos'] } },
    'detiene',
    'Faltan datos del envío: un teléfono de 10 dígitos. El mercado no dice el del comprador: escribe uno de contacto en Configuración de tiendas, Proveedores, en la tarjeta de CT.',
  ],
  [
    'of a supplier whose way of payment nobody chose',
    { faltaElegir: ['forma de pago', 'fletera'] },
    'detiene',
    'Falta elegir cómo se le compra a CT: forma de pago y fletera. Se elige en Configuración de tiendas, Proveedores.',
  ],
  ['unpaid', { ventas: [venta({ pagada: false })] }, 'detiene', 'La venta 2000 todavía no está pagada.'],
  [
    'refunded in part',
    { ventas: [venta({ devueltaEnParte: true })] },
    'motivo',
    'De la venta 2000 ya se devolvió una parte del dinero.',
  ],
  [
    'invoiced by a supplier',
    { ventas: [venta({ facturas: ['A1 de Syscom'] })] },
    'motivo',
    'La venta 2000 ya tiene factura de proveedor: A1 de Syscom.',
  ],
  [
    'ordered elsewhere',
    { otros: ['TR-001001 a Syscom'] },
    'detiene',
    'Lo mismo ya se pidió, aparte de CT: TR-001001 a Syscom.',
  ],
  ['without shipment', { envio: null }, 'detiene', 'La orden no tiene un envío.'],
  ['left', { envio: { ...ENVIO, fuera: 'El paquete ya salió.' } }, 'detiene', 'El paquete ya salió.'],
  [
    'own shipping without an address',
    { envio: { ...ENVIO, propio: true, guia: null, falta: ['calle', 'código postal'] } },
    'detiene',
    'Faltan datos del envío: calle y código postal.',
  ],
  [
    'two suppliers in one package',
    { envio: { ...ENVIO, proveedores: ['CT', 'Syscom'] } },
    'motivo',
    'El paquete lleva artículos de CT y Syscom y tiene una sola guía: solo uno de ellos puede mandarlo.',
  ],
  [
    'a label to come, sent after the order',
    { envio: { ...ENVIO, guia: ESPERA } },
    'avisa',
    'Mercado Libre todavía no libera la guía. Se manda a CT en cuanto esté.',
  ],
  [
    'a label to come, that goes inside the order',
    { envio: { ...ENVIO, guia: ESPERA }, lleva: 'pedido' },
    'detiene',
    'Mercado Libre todavía no libera la guía. CT la recibe dentro del pedido, que espera por ella.',
  ],
  [
    'no label ever',
    { envio: { ...ENVIO, guia: { clase: 'nunca', porque: 'La paquetería ya tiene el paquete.' } } },
    'motivo',
    'La paquetería ya tiene el paquete.',
  ],
  [
    'on our own shelf',
    { lineas: [linea({ stock: { disponibles: ['DV-26-000001-A', 'DV-26-000002-B'], yaSalen: 0 } })] },
    'motivo',
    'Hay 2 piezas de DS-2CE10 en el stock interno (DV-26-000001-A y DV-26-000002-B): surte con lo que hay antes de comprar.',
  ],
  [
    'leaves from our own shelf already',
    { lineas: [linea({ stock: { disponibles: [], yaSalen: 1 } })] },
    'detiene',
    'Ya sale 1 pieza de DS-2CE10 del stock interno: quita el pedido y hazlo otra vez.',
  ],
  ['an unknown product', { lineas: [linea({ leido: null })] }, 'detiene', 'CT ya no conoce DS-2CE10.'],
  [
    'no longer sold',
    { lineas: [linea({ leido: leido({ enVenta: false }) })] },
    'detiene',
    'CT dejó de vender DS-2CE10.',
  ],
  [
    'a reading that failed',
    {
      lineas: [
        linea({ leido: leido({ falla: 'no contestó a tiempo', en: new Date(AHORA.getTime() - 3 * 3_600_000) }) }),
      ],
    },
    'motivo',
    'No se pudo leer ahora DS-2CE10 en CT (no contestó a tiempo): lo que se sabe fue leído hace 3 h.',
  ],
  [
    'not sold to this account',
    {
      lineas: [
        linea({
          leido: leido({ ofrecido: { ...pesos('1'), precio: null, moneda: null, sinPrecio: 'sinDistribucion' } }),
        }),
      ],
    },
    'detiene',
    'DS-2CE10: El proveedor no nos lo vende: pide solicitar distribución.',
  ],
  [
    'dollars without a rate',
    { lineas: [linea({ antes: null, leido: leido({ ofrecido: { ...pesos('5'), moneda: 'USD' } }) })] },
    'detiene',
    'DS-2CE10: Falta el tipo de cambio del proveedor.',
  ],
  [
    'stock that is not told',
    { lineas: [linea({ leido: leido({ existencia: null }) })] },
    'motivo',
    'CT no dice cuántas piezas tiene de DS-2CE10.',
  ],
  [
    'too little stock',
    { lineas: [linea({ cantidad: 2, leido: leido({ existencia: 1, ofrecido: pesos('10') }), antes: null })] },
    'detiene',
    'CT tiene 1 pieza de DS-2CE10 y hacen falta 2 (leído hace 2 min).',
  ],
  [
    'no warehouse with all of it',
    { enUnAlmacen: false },
    'motivo',
    'Ningún almacén de CT tiene todas las piezas: saldrían en varios paquetes y la guía es una.',
  ],
  [
    'a price that rose',
    { lineas: [linea({ antes: { importe: Money.of('90.5'), moneda: 'MXN' } })] },
    'avisa',
    'El precio de DS-2CE10 subió de $90.50 a $100.00 por pieza.',
  ],
  [
    'another currency',
    {
      lineas: [
        linea({
          antes: { importe: Money.of('5'), moneda: 'USD' },
        }),
      ],
    },
    'avisa',
    'El precio de DS-2CE10 cambió de moneda: de $5.00 USD a $100.00.',
  ],
  [
    'a loss',
    { ventas: [venta({ recibe: Money.of('100') })] },
    'motivo',
    'Se perderían $16.00: cuesta $116.00 con IVA y de la venta se reciben $100.00.',
  ],
];

test.each(CASES)('%s: it says so once, with its figures', (_, sketch, severidad, texto) => {
  const { hallazgos } = review(mirada(sketch), 'sa');
  expect(hallazgos.map((one) => ({ severidad: one.severidad, texto: one.texto }))).toEqual([{ severidad, texto }]);
});

test('as many as a supplier tells at most are enough', () => {
  const lineas = [
    linea({ cantidad: 600, leido: leido({ existencia: 500, tope: true, ofrecido: pesos('0.01') }), antes: null }),
  ];
  expect(review(mirada({ lineas }), 'sa').hallazgos).toEqual([]);
});

describe('the margin of a role', () => {
  const justo = mirada({ ventas: [venta({ recibe: Money.of('126') })] });

  test('what is too little for one is enough for another', () => {
    // 126 less 116 is 10: 4.3 in a hundred of what was paid.
    expect(review(justo, 'user').hallazgos).toMatchObject([
      {
        clave: 'margen',
        severidad: 'motivo',
        texto: 'Quedan $10.00 (4.3 %), menos del 8.0 %: cuesta $116.00 con IVA y de la venta se reciben $126.00.',
      },
    ]);
    expect(review(justo, 'admin').hallazgos).toEqual([]);
    expect(review(justo, 'sa').hallazgos).toEqual([]);
  });

  test('an estimate says that it is one', () => {
    const estimada = mirada({ ventas: [venta({ recibe: Money.of('126'), estimado: true })] });
    expect(review(estimada, 'user').estimado).toBe(true);
    expect(review(estimada, 'user').hallazgos[0]!.texto).toContain('se reciben $126.00, estimado: todavía');
    expect(detallesOf(estimada, null).at(-1)).toMatch(/^Lo que queda está estimado: todavía no se sabe la comisión/);
    expect(detallesOf(mirada(), null).join(' ')).not.toContain('estimado');
  });

  test('nobody buys with the least of a person', () => {
    expect(margenMinimo(null).compare(margenMinimo('admin'))).toBe(1);
    expect(review(justo, null).hallazgos).toHaveLength(1);
  });

  test('a reason lets it go, and opens nothing that stops', () => {
    const revision = review(justo, 'user');
    expect(needsMotivo(revision)).toBe(true);
    expect(impedimentoOf(revision, null)).toContain('Quedan $10.00');
    expect(impedimentoOf(revision, 'Cliente frecuente')).toBeNull();
    const muerta = review(mirada({ ventas: [venta({ viva: false, recibe: Money.zero })] }), 'sa');
    expect(needsMotivo(muerta)).toBe(false);
    expect(impedimentoOf(muerta, 'Cliente frecuente')).toBe('La venta 2000 fue cancelada o devuelta.');
  });
});

test('the worst is said first', () => {
  const { hallazgos } = review(
    mirada({
      ventas: [venta({ devueltaEnParte: true })],
      envio: { ...ENVIO, guia: ESPERA },
      lineas: [linea({ leido: leido({ existencia: 0 }) })],
    }),
    'sa',
  );
  expect(hallazgos.map(({ severidad }) => severidad)).toEqual(['detiene', 'motivo', 'avisa']);
});
