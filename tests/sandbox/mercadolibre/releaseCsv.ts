/** The file of released money: its columns and lines, and the unconfirmed facts of its writing. */
import type { Interruptores } from '../proveedores/taller';
import { localTime, orderTime } from './clock';
import { hasShipment } from './history';
import { pesos } from './money';
import { packOf, shipmentId, type Order } from './sale';

export const SWITCHES = {
  separador: [',', ';'],
  cabeceras: ['en', 'es'],
  /** JSON inside a cell keeps its own quotes, doubles them, or is not there. */
  impuestos: ['sinEscapar', 'escapados', 'juntos'],
  /** Charges have a sign, or are told as absolute amounts. */
  signos: ['conSigno', 'absolutos'],
  /** Number of a report in the answer to its request: the one of the list, another, or none. */
  numero: ['mismo', 'otro', 'ninguno'],
  /** Whether reports in the list tell their state. Without it only ready ones are listed. */
  estado: ['falta', 'llega'],
  /** Column that tells the sale of a line: ORDER_ID, the reference, the shipment, or the reference of payments only. */
  orden: ['ORDER_ID', 'referencia', 'envio', 'soloPago'],
  saldo: ['falta', 'llega'],
  retiros: ['llegan', 'faltan'],
  zona: ['-04:00', '-06:00'],
  noSePudo: ['no', '203'],
  permiso: ['sirve', '401', '403'],
} as const;

type Ways = Interruptores<typeof SWITCHES>['is'];

/** A movement of the account, in centavos. `net` is the amount that reached the account. */
export interface Row {
  at: number;
  source: string;
  order: Order | null;
  /** The shipping of a cart, which is told by its shipment alone. */
  deEnvio?: true;
  type: string;
  description: string;
  net: number;
  gross: number;
  /** The seller's part of a coupon. */
  coupon: number;
  fee: number;
  shipping: number;
  iva: number;
  isr: number;
}

type Period = { begin: number; end: number };

/** Columns of the file by their English names, each with its Spanish one. */
const COLUMNS = {
  DATE: 'Fecha de liquidación',
  SOURCE_ID: 'ID de operación en Mercado Pago',
  EXTERNAL_REFERENCE: 'Código de referencia',
  RECORD_TYPE: 'Tipo de registro',
  DESCRIPTION: 'Descripción',
  NET_CREDIT_AMOUNT: 'Monto neto acreditado',
  NET_DEBIT_AMOUNT: 'Monto neto debitado',
  GROSS_AMOUNT: 'Monto bruto de la operación',
  MP_FEE_AMOUNT: 'Comisión de Mercado Pago',
  FINANCING_FEE_AMOUNT: 'Comisión por ofrecer cuotas sin interés',
  SHIPPING_FEE_AMOUNT: 'Costo de envío',
  TAXES_AMOUNT: 'Impuestos cobrados por retenciones IIBB',
  COUPON_AMOUNT: 'Cupón de descuento',
  INSTALLMENTS: 'Cuotas',
  PAYMENT_METHOD: 'Medio de pago',
  TAXES_DISAGGREGATED: 'Desglose de impuestos',
  ORDER_ID: 'ID de la orden',
  PACK_ID: 'ID del paquete',
  SHIPPING_ID: 'ID de envío',
  PAYER_NAME: 'Nombre de quien hace el pago',
  BALANCE_AMOUNT: 'Saldo',
} as const;
type Column = keyof typeof COLUMNS;

/** The file of a report: a line for the balance before it, each movement, and a line with the total. `all` are the movements up to its end. */
export function csvOf({ begin, end }: Period, all: readonly Row[], is: Ways): string {
  const initial = all.filter(({ at }) => at < begin).reduce((sum, { net }) => sum + net, 0);
  const inside = all.filter(({ at }) => at >= begin);
  const total = inside.reduce((sum, { net }) => sum + net, initial);
  const separator = is('separador', ';') ? ';' : ',';
  const names = (Object.keys(COLUMNS) as Column[]).filter((name) => name !== 'BALANCE_AMOUNT' || is('saldo', 'llega'));
  let balance = initial;
  const nothing = { source: '', order: null, description: '', coupon: 0, fee: 0, shipping: 0, iva: 0, isr: 0 };
  const lines = [
    { ...nothing, at: begin, type: 'initial_available_balance', net: initial, gross: initial },
    ...inside,
    { ...nothing, at: end, type: 'total', net: total, gross: total },
  ].map((row) => {
    if (row.type === 'release') balance += row.net;
    const cells = cellsOf(row, balance, is);
    return names.map((name) => cells[name]).join(separator);
  });
  const header = names.map((name) => (is('cabeceras', 'es') ? COLUMNS[name] : name));
  return `${header.join(separator)}\n${lines.join('\n')}\n`;
}

function cellsOf(row: Row, balance: number, is: Ways): Record<Column, string> {
  const { at, order, net } = row;
  const signed = is('signos', 'conSigno');
  const number = (centavos: number) => pesos(centavos).toFixed(2);
  const charge = (centavos: number) => number(signed ? centavos : Math.abs(centavos));
  const taxes = [
    { detail: 'tax_withholding-iva', financial_entity: 'mexico', amount: number(row.iva) },
    { detail: 'tax_withholding-isr', financial_entity: 'mexico', amount: number(row.isr) },
  ].filter(({ amount }) => Number(amount) !== 0);
  const written = JSON.stringify(taxes);
  const byOrder = is('orden', 'ORDER_ID') && !row.deEnvio;
  const bare = is('orden', 'soloPago') && row.description !== 'payment';
  const reference = () => {
    if (!order || bare) return '';
    return (row.deEnvio || is('orden', 'envio')) && hasShipment(order.sale)
      ? String(shipmentId(order.sale.seq))
      : String(order.id);
  };
  return {
    DATE: is('zona', '-06:00') ? localTime(at) : orderTime(at),
    SOURCE_ID: row.source,
    EXTERNAL_REFERENCE: reference(),
    RECORD_TYPE: row.type,
    DESCRIPTION: row.description,
    NET_CREDIT_AMOUNT: number(Math.max(0, net)),
    NET_DEBIT_AMOUNT: number(Math.max(0, -net)),
    GROSS_AMOUNT: number(row.gross),
    MP_FEE_AMOUNT: charge(row.fee),
    FINANCING_FEE_AMOUNT: '0.00',
    SHIPPING_FEE_AMOUNT: charge(row.shipping),
    TAXES_AMOUNT: charge(row.iva + row.isr),
    COUPON_AMOUNT: charge(row.coupon),
    INSTALLMENTS: '1',
    PAYMENT_METHOD: row.order ? row.order.sale.payment.method : '',
    TAXES_DISAGGREGATED:
      taxes.length === 0 || is('impuestos', 'juntos')
        ? ''
        : `"${is('impuestos', 'escapados') ? written.replaceAll('"', '""') : written}"`,
    ORDER_ID: order && byOrder ? String(order.id) : '',
    PACK_ID: order && byOrder ? String(packOf(order.sale) ?? '') : '',
    SHIPPING_ID: order && (byOrder || row.deEnvio) && hasShipment(order.sale) ? String(shipmentId(order.sale.seq)) : '',
    PAYER_NAME: order ? order.sale.buyer.nickname : '',
    BALANCE_AMOUNT: row.type === 'release' ? number(balance) : '',
  };
}
