import type { Money } from '~/core/money';

/** A sale of one piece that is thought of, whose commission a marketplace is asked for. */
export type VentaDeUna = {
  sku: string;
  /** Price with VAT. */
  precio: Money;
  /** Shipping that the buyer pays beside the price. */
  envio: Money;
  /** The marketplace sends the piece from its own warehouse. */
  delMercado: boolean;
};

/** Commission of one piece as the marketplace estimates it, without its shipping; or why it tells none. `cuenta`: the no is about the account. */
export type ComisionHallada = { comision: Money } | { negada: string; cuenta: boolean };

/** A marketplace that tells its commission before it takes it. */
export type EstimadorDeComisiones = {
  /** Most sales in one question. */
  porPregunta: number;
  /** Estimates the commissions of some sales, in their order. */
  estimar(ventas: readonly VentaDeUna[]): Promise<ComisionHallada[]>;
};
