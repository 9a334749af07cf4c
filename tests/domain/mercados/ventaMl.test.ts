import { expect, test } from 'vitest';
import { Money } from '~/core/money';
import { compradorFiscalOf, direccionOf, envioOf, unmasked } from '~/domain/mercados/ml/internal/envio';
import { cargosOf, chargeMoments, pagosOf } from '~/domain/mercados/ml/internal/pagos';
import { isCompra, situacionOf, ventaOf } from '~/domain/mercados/ml/internal/venta';
import { estatusOf, estatusLabel, estatusTono, estatusVisible } from '~/domain/ventas/ordenes/estatus';
import { classifyOrden } from '~/domain/ventas/ordenes/orden';
import { nextReview, ordenOf } from '~/domain/ventas/ordenes/internal/ordenLeida';
import { BillingInfo, Instant, Order, PaymentDetail, Shipment, ShipmentCosts } from '~/integrations/mercadolibre/wire';
import variantes from '../../casos/07-venta-variantes.json';
import cancelada from './samples/cancelada.json';
import noCumplida from './samples/noCumplida.json';
import pagada from './samples/pagada.json';
import costos from './samples/pagada.costos.json';
import envio from './samples/pagada.envio.json';
import pago from './samples/pagada.pago.json';
import pagosConAdicional from './samples/pagoAdicional.pagos.json';

const now = new Date('2026-11-10T12:00:00Z');
const about = { envio: null, previous: null, conservada: false, prefijo: 'AMS' };
const ventaAt = (doc: object, at: Date) =>
  ventaOf(Order.parse(doc), {
    raw: doc,
    missing: [],
    envio: null,
    sinLeerEnvio: false,
    sinLeer: [],
    cargos: undefined,
    cupon: undefined,
    conocida: { retencion: Money.zero, cargosEn: at, liberacion: null },
    now: at,
  });
const read = (doc: object, changes: object = {}) => ordenOf(ventaAt({ ...doc, ...changes }, now), about);
const texts = (row: object) => JSON.parse(JSON.stringify(row)) as Record<string, unknown>;

test('a paid order of two pieces: line total, commission per piece, pack number', () => {
  expect(texts(read(pagada))).toMatchObject({
    marketId: '2000016200010001',
    numOrden: '2000009100010001',
    packId: '2000009100010001',
    estatus: 'enPreparacion',
    marketStatus: 'paid',
    clase: 'normal',
    total: '1298.00',
    pagadoAbs: '1298.00',
    comision: '181.72',
    envioAdicional: '0.00',
    medioPago: 'credit_card',
    formaPago: '04',
    compradorId: '812345678',
    comprador: 'COMPRADORDEMO1',
    billingInfoId: '677487519900010001',
    meliResale: false,
    envioPropio: false,
    actualizadaEn: '2026-11-03T13:37:20.000Z',
    articulos: [
      {
        posicion: 0,
        sku: 'AMS|66f1c0a1|syscom|DS-2CE10DF0T-PF',
        cantidad: 2,
        importe: '1298.00',
        precioUnitario: '649.00',
        comision: '181.72',
      },
    ],
  });
});

test('its shipment, in the new format and in the old one', () => {
  const shipment = Shipment.parse(envio);
  const row = envioOf(shipment, envio, { costs: ShipmentCosts.parse(costos), payments: null }, '468123907');
  expect(texts(row)).toMatchObject({
    marketId: '45110010001',
    estatus: 'ready_to_ship',
    subestatus: 'ready_to_print',
    modo: 'me2',
    tipoLogistico: 'xd_drop_off',
    propio: false,
    guia: '45110010001',
    pagos: null,
    costoComprador: '0.00',
    costo: '76.50',
    nombreReceptor: 'María Demo',
    telefono: null,
    calle: 'Calle Ejemplo',
    numeroE: '123',
    referencia: 'Int 4 Referencia: portón verde',
    colonia: 'Centro',
    ciudad: 'Guadalajara',
    municipio: 'Guadalajara',
    estado: 'Jalisco',
    cp: '44100',
  });
  const { destination, logistic, ...rest } = envio;
  const old = {
    ...rest,
    mode: logistic.mode,
    logistic_type: logistic.type,
    comments: null,
    receiver_address: {
      ...destination.shipping_address,
      receiver_name: destination.receiver_name,
      receiver_phone: null,
    },
  };
  expect(direccionOf(Shipment.parse(old))).toEqual(direccionOf(shipment));
});

const cargos = (details: object[], { ended = false, last = false, payments = pagada.payments as object[] } = {}) =>
  texts(
    cargosOf(
      details.map((detail) => PaymentDetail.parse(detail)),
      pagosOf(Order.parse({ ...pagada, payments })),
      { now, ended, last },
    ),
  );

test('withholding of the sample payment; a payment whose charges do not add up yet is unknown, not zero', () => {
  expect(cargos([pago])).toMatchObject({ retencion: '117.49', comision: null });
  const incomplete = { ...pago, charges_details: pago.charges_details.slice(1) };
  expect(cargos([incomplete])).toMatchObject({ retencion: null });
  expect(cargos([incomplete], { last: true })).toMatchObject({ retencion: '117.49' });
  expect(cargos([])).toMatchObject({ retencion: null });
});

test('the shipping a payment carries is in its net: with it the charges add up, and with any other sum they do not', () => {
  const [payment] = pagada.payments;
  const payments = [{ ...payment, shipping_cost: 115 }];
  const { transaction_details: details } = pago;
  const plus = (pesos: number) => ({
    ...pago,
    transaction_details: { ...details, net_received_amount: details.net_received_amount + pesos },
  });
  expect(cargos([plus(115)], { payments })).toMatchObject({ retencion: '117.49' });
  expect(cargos([plus(114)], { payments })).toMatchObject({ retencion: null });
  expect(cargos([plus(115)])).toMatchObject({ retencion: null });
});

test('of a payment that was given back there is left what was not', () => {
  const [payment] = pagada.payments;
  const refunded = {
    ...pago,
    status: 'refunded',
    transaction_amount_refunded: pago.transaction_amount,
    charges_details: pago.charges_details.map((charge) => ({
      ...charge,
      amounts: { ...charge.amounts, refunded: charge.name === 'meli_fee' ? 100 : charge.amounts.original },
    })),
  };
  expect(cargos([refunded], { ended: true, payments: [{ ...payment, status: 'refunded' }] })).toMatchObject({
    retencion: '0.00',
    comision: '81.72',
  });
});

test('charges are looked at again after a day, after three, after a refund, and when the money is free', () => {
  const [payment] = pagada.payments;
  const at = (text: string) => new Date(text).getTime();
  const pagos = (changes: object) => pagosOf(Order.parse({ ...pagada, payments: [{ ...payment, ...changes }] }));
  const dates = { date_approved: '2026-11-03T12:00:00Z', date_last_modified: '2026-11-05T12:00:00Z' };
  expect(chargeMoments(pagos(dates), new Date('2026-11-20T00:00:00Z'))).toEqual([
    at('2026-11-04T12:00:00Z'),
    at('2026-11-06T12:00:00Z'),
    at('2026-11-20T01:00:00Z'),
  ]);
  expect(chargeMoments(pagos({ ...dates, status: 'refunded' }), null)).toEqual([
    at('2026-11-04T12:00:00Z'),
    at('2026-11-06T12:00:00Z'),
    at('2026-11-06T12:00:00Z'),
    at('2026-11-08T12:00:00Z'),
  ]);
  expect(chargeMoments(pagos({ ...dates, status: 'rejected' }), null)).toEqual([]);
});

test('a paid order without payments is no sale of 0: what the order says was paid, and it is looked at again', () => {
  const venta = (changes: object) => ventaAt({ ...pagada, payments: [], paid_amount: 1298, ...changes }, now);
  expect(String(venta({}).pagadoAparte)).toBe('1298.00');
  expect(String(venta({ paid_amount: 0, total_amount: 1200 }).pagadoAparte)).toBe('1200.00');
  expect(String(venta({ paid_amount: null, total_amount: null }).pagadoAparte)).toBe('1298.00');
  expect(read(pagada, { payments: [], paid_amount: 1413 }).pagadoAbs.toString()).toBe('1413.00');
  expect(venta({ payments: pagada.payments }).pagadoAparte).toBeNull();
  expect(venta({ status: 'cancelled' }).pagadoAparte).toBeNull();
});

test('a cancelled order pays nothing and remembers what had been paid', () => {
  expect(texts(read(cancelada))).toMatchObject({
    estatus: 'cancelado',
    clase: 'cancelada',
    pagadoAbs: '1499.00',
    formaPago: '28',
    billingInfoId: null,
  });
});

test('paid and unfulfilled is a return, whether its payment says approved or refunded', () => {
  expect(texts(read(noCumplida))).toMatchObject({
    clase: 'devuelta',
    pagadoAbs: '354.00',
    numOrden: '2000016200030003',
    packId: null,
  });
  const [payment] = noCumplida.payments;
  expect(
    texts(read(noCumplida, { payments: [{ ...payment, status: 'refunded', transaction_amount_refunded: 239 }] })),
  ).toMatchObject({ clase: 'devuelta', pagadoAbs: '354.00' });
});

test('a payment_addition is shipping charged afterwards, and counts only when approved', () => {
  const acordada = {
    ...pagada,
    pack_id: null,
    shipping: { id: null },
    payments: pagosConAdicional,
    total_amount: 5890,
  };
  expect(texts(read(acordada))).toMatchObject({
    pagadoAbs: '6370.00',
    envioAdicional: '480.00',
    envioPropio: true,
    formaPago: '04',
  });
  const [first, second] = pagosConAdicional;
  expect(texts(read(acordada, { payments: [first, { ...second, status: 'pending' }] }))).toMatchObject({
    pagadoAbs: '5890.00',
    envioAdicional: '0.00',
  });
});

test('a refunded part leaves the sale standing with what remains', () => {
  const [payment] = pagada.payments;
  expect(
    texts(read(pagada, { status: 'partially_refunded', payments: [{ ...payment, transaction_amount_refunded: 649 }] })),
  ).toMatchObject({ clase: 'normal', pagadoAbs: '649.00' });
});

test('the form of payment is that of the payment that paid most', () => {
  const [payment] = pagada.payments;
  const split = [
    { ...payment, id: 1, payment_type: 'account_money', transaction_amount: 300 },
    { ...payment, id: 2, payment_type: 'ticket', transaction_amount: 998 },
    { ...payment, id: 3, status: 'rejected', payment_type: 'debit_card', transaction_amount: 9998 },
  ];
  expect(read(pagada, { payments: split }).formaPago).toBe('01');
  const formaOf = (payment_type: string) => read(pagada, { payments: [{ ...payment, payment_type }] }).formaPago;
  expect(
    ['credit_card', 'debit_card', 'bank_transfer', 'ticket', 'account_money', 'something_new'].map(formaOf),
  ).toEqual(['04', '28', '03', '01', '31', '31']);
});

test('resale hides the price of the piece: the payment tells it', () => {
  const [item] = pagada.order_items;
  expect(
    texts(read(pagada, { static_tags: ['meli_resale'], order_items: [{ ...item, unit_price: null, sale_fee: null }] })),
  ).toMatchObject({
    meliResale: true,
    comision: '0.00',
    articulos: [{ importe: '1298.00', precioUnitario: '649.00' }],
  });
});

test('unknown words are kept and blocks may be missing', () => {
  const orden = read(pagada, {
    status: 'some_new_status',
    buyer: {},
    shipping: {},
    coupon: undefined,
    tags: null,
    static_tags: undefined,
    payments: null,
    date_last_updated: undefined,
  });
  expect(orden).toMatchObject({
    marketStatus: 'some_new_status',
    comprador: null,
    compradorId: null,
    formaPago: null,
    tags: [],
  });
});

test('the class: cancelled outranks returned, returned outranks a wrong sku', () => {
  const base = {
    estatus: 'enPreparacion',
    situacion: 'pagada' as const,
    skus: ['AMS|1|syscom|X'] as (string | null)[],
  };
  const of = (changes: object) => classifyOrden({ ...base, ...changes }, 'AMS');
  expect(of({})).toBe('normal');
  expect(of({ estatus: 'cancelado', situacion: 'devuelta' })).toBe('cancelada');
  expect(of({ situacion: 'cancelada' })).toBe('cancelada');
  expect(of({ situacion: 'devuelta', skus: [null] })).toBe('devuelta');
  expect(of({ situacion: 'invalida' })).toBe('invalida');
  expect([
    of({ skus: [null] }),
    of({ skus: ['OTRA|1'] }),
    of({ skus: ['AMS|1', 'AMSX|2'] }),
    of({ skus: ['AMS'] }),
  ]).toEqual(['invalida', 'invalida', 'invalida', 'normal']);
});

test('our state follows the order, then the shipment, and keeps what people gave while the shipment says nothing', () => {
  const at = (estatus: string, subestatus: string | null = null) => ({ estatus, subestatus, propio: false });
  expect(estatusOf(situacionOf('paid', []), null, null)).toBe('enPreparacion');
  expect(estatusOf(situacionOf('payment_in_process', []), null, null)).toBe('autorizandoPago');
  expect(estatusOf(situacionOf('cancelled', []), at('delivered'), 'entregado')).toBe('cancelado');
  expect(estatusOf(situacionOf('pending_cancel', []), null, null)).toBe('cancelado');
  expect(estatusOf(situacionOf('paid', []), at('ready_to_ship', 'ready_to_print'), 'autorizandoPago')).toBe(
    'enPreparacion',
  );
  expect(estatusOf(situacionOf('paid', []), at('ready_to_ship', 'picked_up'), 'enPreparacion')).toBe('enviado');
  expect(estatusOf(situacionOf('paid', []), at('delivered'), 'enviado')).toBe('entregado');
  expect(estatusOf(situacionOf('paid', []), at('not_delivered', 'returned'), 'enviado')).toBe('devuelto');
  expect(estatusOf(situacionOf('paid', []), at('not_delivered', 'returning_to_sender'), 'enviado')).toBe(
    'enDevolucion',
  );
  expect(estatusOf(situacionOf('paid', []), at('handling'), 'cobroRequerido')).toBe('cobroRequerido');
  expect(estatusOf(situacionOf('paid', []), null, 'cancelado')).toBe('enPreparacion');
});

test('labels and colours of the catalogue', () => {
  expect([
    estatusLabel('enPreparacion'),
    estatusLabel('first_visit'),
    estatusLabel('nada'),
    estatusLabel(null),
  ]).toEqual(['En preparación', 'Primera visita', 'Sin estatus', 'Sin estatus']);
  expect([
    estatusTono('cancelado'),
    estatusTono('not_delivered'),
    estatusTono('returned'),
    estatusTono('shipped'),
    estatusTono('ready_to_ship'),
    estatusTono('handling'),
  ]).toEqual(['mal', 'mal', 'mal', 'ok', 'aviso', 'neutro']);
  expect(
    estatusVisible({ market: 'ml', estatus: 'enPreparacion' }, { estatus: 'not_delivered', subestatus: 'returned' }),
  ).toBe('returned');
  expect(estatusVisible({ market: 'amz', estatus: 'enviado' }, { estatus: 'handling', subestatus: null })).toBe(
    'enviado',
  );
});

test('hidden values are missing', () => {
  expect([unmasked('XXXXXXX'), unmasked('xxxx xxx'), unmasked('  '), unmasked('XXI'), unmasked(null)]).toEqual([
    null,
    null,
    null,
    'XXI',
    null,
  ]);
});

test('a missing shipment is own shipping only once the marketplace had time to create it', () => {
  const waiting = { ...pagada, shipping: { id: null } };
  const young = new Date('2026-11-03T13:36:00Z');
  expect(ventaAt(waiting, young).propioSinEnvio).toBe(false);
  expect(read(waiting).envioPropio).toBe(true);
  expect(read(waiting, { status: 'payment_in_process' }).envioPropio).toBe(false);
  expect(nextReview(ventaAt(waiting, young), null, 0, young)?.toISOString()).toBe('2026-11-03T13:46:43.000Z');
  expect(nextReview(ventaAt(waiting, now), null, 0, now)).toBeNull();
});

test('what the account bought is no sale; an order that does not say who sold it is', () => {
  const sold = (seller: object | undefined) => isCompra(Order.parse({ ...pagada, seller }), '468123907');
  expect([sold({ id: 77 }), sold({ id: 468123907 }), sold({}), sold(undefined)]).toEqual([true, false, false, false]);
});

test('the words of Mercado Libre in ours; one it invents tomorrow is not taken for paid', () => {
  const words = ['confirmed', 'payment_in_process', 'paid', 'partially_refunded', 'pending_cancel', 'nuevo'];
  expect(words.map((word) => situacionOf(word, []))).toEqual([
    'cobroPendiente',
    'autorizandoPago',
    'pagada',
    'devueltaEnParte',
    'cancelada',
    'desconocida',
  ]);
  expect(situacionOf('paid', ['unfulfilled'])).toBe('devuelta');
});

test('a company is one name, a person is two; the generic RFC proposes nothing; a CURP is no RFC', () => {
  const of = (info: object) => compradorFiscalOf(BillingInfo.parse({ buyer: { billing_info: info } }));
  expect(
    of({
      name: 'Juana',
      last_name: 'Méndez  García',
      identification: { type: 'RFC', number: 'megj800101qx1' },
      taxes: { taxpayer_type: { id: '612' }, cfdi: { id: 'g03' } },
      address: { zip_code: '06700' },
    }),
  ).toEqual({ rfc: 'MEGJ800101QX1', razonSocial: 'JUANA MÉNDEZ GARCÍA', regimen: '612', usoCfdi: 'G03', cp: '06700' });
  expect(
    of({ name: 'X', identification: { type: 'RFC', number: 'XAXX010101000' }, address: { zip_code: '06700' } }),
  ).toEqual({ rfc: null, razonSocial: null, regimen: null, usoCfdi: null, cp: null });
  expect(
    of({ name: null, identification: { type: 'CURP', number: 'MEGJ800101MDFNRN09' }, taxes: null, address: null }).rfc,
  ).toBeNull();
});

test('every way of writing an instant is read', () => {
  const texts = [
    '2026-11-03T09:34:59.000-04:00',
    '2026-11-03T09:34:59.000-0400',
    '2026-11-03T13:34:59Z',
    '2026-11-03T13:34:59.00008612Z',
    '2026-11-03T13:34:59.000+00:00',
  ];
  expect(new Set(texts.map((text) => Instant.parse(text).toISOString()))).toEqual(
    new Set(['2026-11-03T13:34:59.000Z']),
  );
  expect(Instant.safeParse('ayer').success).toBe(false);
});

test('07: two variations of a listing are two lines that people can tell apart', () => {
  const nombres = (doc: object) => (texts(read(doc)).articulos as { nombre: string }[]).map(({ nombre }) => nombre);
  expect(nombres(variantes)).toEqual(['Funda para tableta (Color: Rojo)', 'Funda para tableta (Color: Azul)']);
  // The sale of several is named after its listing, that of one after what was bought.
  expect(texts(read(variantes)).titulo).toBe('Funda para tableta');
  const [first] = variantes.order_items;
  const una = (variation_attributes: unknown) => ({
    ...variantes,
    order_items: [{ ...first!, item: { ...first!.item, variation_attributes } }],
  });
  const color = { id: 'COLOR', name: 'Color', value_name: 'Rojo' };
  expect(texts(read(una([color]))).titulo).toBe('Funda para tableta (Color: Rojo)');
  expect(nombres(una([color, { id: 'SIZE', name: 'Talla', value_name: '10"' }]))).toEqual([
    'Funda para tableta (Color: Rojo, Talla: 10")',
  ]);
  expect(nombres(una([{ name: 'Color', value_name: null }, { value_name: 'Mate' }]))).toEqual([
    'Funda para tableta (Mate)',
  ]);
  for (const none of [undefined, null, [], 'Rojo']) expect(nombres(una(none))).toEqual(['Funda para tableta']);
});
