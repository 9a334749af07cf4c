import type { Money } from '~/core/money';
import type { Situacion } from '~db/columns';

export type { Situacion };

/** A line of a sale. */
export type ArticuloLeido = {
  posicion: number;
  itemId: string | null;
  nombre: string;
  sku: string | null;
  cantidad: number;
  importe: Money;
  precioUnitario: Money;
  /** Null while the marketplace does not tell it. */
  comision: Money | null;
};

/** One payment of a sale, also the ones that came to nothing. */
export type PagoLeido = {
  marketId: string;
  /** The source of the payment: the order, or the shipment that a cart shares. A shipment tells shipping alone, once for all its orders. */
  origen: 'orden' | 'envio';
  /** `adicional`: charged after the sale, for its shipping. */
  concepto: 'venta' | 'adicional';
  /** `devuelto`: the payment put money on the sale and is given back or disputed. `sinEfecto`: the payment never put money on it. */
  situacion: 'aprobado' | 'devuelto' | 'sinEfecto';
  /** The marketplace's words for the state, the kind and the brand of the payment. */
  estatus: string;
  medio: string | null;
  metodo: string | null;
  /** SAT's c_FormaPago; null when the marketplace does not say how the buyer paid. */
  formaPago: string | null;
  importe: Money;
  /** Shipping inside `importe`. */
  envio: Money;
  devuelto: Money;
  aprobadoEn: Date | null;
  modificadoEn: Date | null;
};

/** An address of a buyer, as far as the marketplace tells it. */
export type Direccion = {
  nombreReceptor: string | null;
  telefono: string | null;
  calle: string | null;
  numeroE: string | null;
  numeroI: string | null;
  referencia: string | null;
  colonia: string | null;
  ciudad: string | null;
  municipio: string | null;
  estado: string | null;
  cp: string | null;
};

/** A shipment. `estatus` and `subestatus` are words of `ventas/ordenes/estatus.ts`. */
export type EnvioLeido = Direccion & {
  marketId: string;
  estatus: string;
  subestatus: string | null;
  modo: string | null;
  tipoLogistico: string | null;
  /** We send the package with a carrier of our own. */
  propio: boolean;
  guia: string | null;
  paqueteria: string | null;
  fechaCreacion: Date;
  /** The date of the reading: a reading older than the stored one changes nothing. */
  actualizadoEn: Date;
  /** Payments of the shipping, where those of the orders do not tell it. Null: nobody told, and the stored ones stay. */
  pagos: PagoLeido[] | null;
  /** Cost of the shipping in pesos, and the buyer's share as the marketplace reckons it, which was not always paid. Null while unknown. */
  costo: Money | null;
  costoComprador: Money | null;
  documento: unknown;
};

/** Tax data the buyer gave at the marketplace: a proposal for the invoice form. */
export type CompradorFiscal = {
  rfc: string | null;
  razonSocial: string | null;
  regimen: string | null;
  usoCfdi: string | null;
  cp: string | null;
};

/** The buyer of a sale. */
export type CompradorLeido = {
  id: string | null;
  nombre: string | null;
  /** The marketplace's name of the tax data. */
  fiscalId: string | null;
  /** Undefined: the tax data was not read this time. */
  fiscal?: CompradorFiscal;
};

/** Charges that the marketplace kept of the payments of a sale, less those it gave back. */
export type CargosLeidos = {
  /** Tax withheld, in pesos; null while unknown. */
  retencion: Money | null;
  /** Commission of a sale of which something was given back; null: the commission of its articulos holds. */
  comision: Money | null;
  /** The moment at which the last of the money is free for the seller. */
  liberacion: Date | null;
  /** The seller's part of the buyer's coupons, in pesos; null while unknown. */
  cupon: Money | null;
  leidosEn: Date;
};

/** Everything that one look at a sale brought, in our nouns. `ventas/ordenes` writes it, whichever marketplace told it. */
export type VentaLeida = {
  marketId: string;
  /** The number that people search: that of the cart when there is one. */
  numOrden: string;
  packId: string | null;
  fechaCreacion: Date;
  fechaCierre: Date | null;
  /** The document's own date of change, which is not the date of the row that announced it. A reading older than the stored one changes nothing. */
  version: Date;
  situacion: Situacion;
  /** The marketplace's own words, kept as evidence. No rule reads them. */
  marketStatus: string;
  tags: string[];
  /** The marketplace itself invoices the sale to the buyer. */
  facturaElMercado: boolean;
  /** Total in pesos; null: the sum of the articulos. */
  total: Money | null;
  /** The name of the sale in lists. */
  titulo: string;
  articulos: ArticuloLeido[];
  pagos: PagoLeido[];
  comprador: CompradorLeido;
  /** The shipment in which the sale travels. */
  envioId: string | null;
  /** The shipments that were read. Sales of one cart hold the same object. */
  envios: EnvioLeido[];
  /** The sale has no shipment and is ours to send; false while it is too early to tell. */
  propioSinEnvio: boolean;
  /** The buyer and we agreed on the delivery: the sale never has a shipment. */
  acordada: boolean;
  /** Undefined: the charges were not read this time, and the stored ones stay. */
  cargos: CargosLeidos | undefined;
  /**
   * The seller's part of the buyer's coupons, in pesos, which the price does not show; null while nobody tells who pays them. Undefined: it was not read this
   * time, and the stored one stays.
   */
  cupon: Money | null | undefined;
  /** The amount paid, by the sale itself, where the sale was paid and nobody tells its payments; else null. */
  pagadoAparte: Money | null;
  /** The details that could not be read this time, and why. */
  sinLeer: string[];
  /** The parts that this look could not bring, to come back for them. */
  falta: { documento: boolean; envio: boolean; retencion: boolean };
  /** The moments at which to look again: for any missing part, and for charges that may have changed. */
  mirarEn: Date | null;
  mirarCargosEn: Date | null;
  /** Nobody will tell how far the shipment gets, so no look waits for it. */
  envioCallado?: boolean;
  /** The document to keep; `VentaConocida` hands it back at the next look. */
  documento: unknown;
  /** Completes a partial answer: returns the same sale, with the missing blocks taken from the document we hold. */
  completar?: (documento: unknown) => VentaLeida;
};

/** The stored sale, as far as it spares reading again. */
export type VentaConocida = {
  version: Date;
  retencion: Money | null;
  /** The moments at which the charges were read last, and at which the money is free. */
  cargosEn: Date | null;
  liberacion: Date | null;
  envio: {
    marketId: string;
    actualizadoEn: Date;
    costo: Money | null;
    /** The payments of the shipping are stored. */
    pagos: boolean;
  } | null;
  /** The tax data of the buyer is stored. */
  comprador: boolean;
  /** The look is the last one at the sale, and takes the charges as they are. */
  ultima: boolean;
  documento: unknown;
};

/** A payment as the stored document shows it to people. */
export type PagoDeDocumento = {
  id: string;
  estatus: string | null;
  situacion: PagoLeido['situacion'];
  medio: string | null;
  metodo: string | null;
  adicional: boolean;
  monto: Money;
  /** The charge to the buyer's card, with the interest of instalments. */
  conIntereses: Money;
  devuelto: Money;
  aprobadoEn: Date | null;
  modificadoEn: Date | null;
};

/** A place from which a marketplace takes the pieces of a line, by its own numbers of the store and of the node. */
export type LugarDeArticulo = { posicion: number; tienda: string | null; nodo: string | null };

/** The parts of a kept document that the dialog of the sale shows. */
export type DetalleDeDocumento = {
  pagos: PagoDeDocumento[];
  lugares: LugarDeArticulo[];
  cancelacion: { motivo: string | null; quien: string | null; fecha: Date | null } | null;
};
