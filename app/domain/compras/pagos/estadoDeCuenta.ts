import type { Money } from '~/core/money';

/** What moves the account of a supplier, as people read it. */
export const DE_MOVIMIENTO = {
  inicial: 'Saldo anterior',
  pedido: 'Pedido',
  factura: 'Factura',
  nota: 'Nota de crédito',
  pago: 'Pago',
  devuelto: 'Devolución de dinero',
} as const;

/** Days 'YYYY-MM-DD', both inclusive. */
export type Periodo = { desde: string; hasta: string };

/** A movement of the account. What is owed grows by a positive `importe` and falls by a negative one; an order has none. */
export type Movimiento = {
  id: string;
  fecha: string;
  que: keyof typeof DE_MOVIMIENTO;
  folio: string | null;
  detalle: string | null;
  /** What was ordered in pesos. */
  pedido: Money | null;
  /** Null for an order, and for a payment of which nobody wrote an amount. */
  importe: Money | null;
  saldo: Money;
};

/** The account of one supplier in a range. */
export type EstadoDeCuenta = {
  proveedor: string;
  label: string;
  rfc: string | null;
  inicial: Money;
  movimientos: Movimiento[];
  final: Money;
  totales: { pedido: Money; facturado: Money; acreditado: Money; pagado: Money; devuelto: Money };
  /** The account of today, of every age: `saldo` is `porPagar` without what of payments and notes is of no invoice yet. */
  hoy: { saldo: Money; porPagar: Money; pagosSinAplicar: Money; notasSinAplicar: Money; sinImporte: number };
};
