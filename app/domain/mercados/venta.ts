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
  comision: Money;
};

/** One payment of a sale, also the ones that came to nothing. */
export type PagoLeido = {
  marketId: string;
  /** What told it: the order, or the shipment that a cart shares. A shipment tells of shipping alone, once for all its orders. */
  origen: 'orden' | 'envio';
  /** `adicional`: charged after the sale, for its shipping. */
  concepto: 'venta' | 'adicional';
  /** `devuelto`: it put money on the sale and is given back or disputed. `sinEfecto`: it never did. */
  situacion: 'aprobado' | 'devuelto' | 'sinEfecto';
  /** The marketplace's words for its state, its kind and its brand. */
  estatus: string;
  medio: string | null;
  metodo: string | null;
  /** SAT's c_FormaPago; null when the marketplace does not say how it was paid. */
  formaPago: string | null;
  importe: Money;
  /** Shipping that came inside it. */
  envio: Money;
  devuelto: Money;
  aprobadoEn: Date | null;
  modificadoEn: Date | null;
};

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

/** A shipment. `estatus` and `subestatus` are words of the catalogue (ordenes/estatus.ts). */
export type EnvioLeido = Direccion & {
  marketId: string;
  estatus: string;
  subestatus: string | null;
  modo: string | null;
  tipoLogistico: string | null;
  /** We send it with a carrier of our own. */
  propio: boolean;
  guia: string | null;
  paqueteria: string | null;
  fechaCreacion: Date;
  /** A reading older than what is stored changes nothing. */
  actualizadoEn: Date;
  /** What its shipping was paid with, where the orders' own payments do not tell. Null: nobody told, and what is stored stays. */
  pagos: PagoLeido[] | null;
  /** Null while the costs are not known. `costoComprador` is the buyer's share as the marketplace reckons it: a hint, for it was not always paid. */
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

export type CompradorLeido = {
  id: string | null;
  nombre: string | null;
  /** The name under which the marketplace keeps the tax data. */
  fiscalId: string | null;
  /** Undefined: not read this time. */
  fiscal?: CompradorFiscal;
};

/** What the marketplace kept of the payments of a sale, less what it gave back. */
export type CargosLeidos = {
  /** Null: not known yet. */
  retencion: Money | null;
  /** Of a sale of which something was given back; null: that of its articulos. */
  comision: Money | null;
  /** When the last of the money is the seller's. */
  liberacion: Date | null;
  leidosEn: Date;
};

/** Everything one look at a sale brought, in our nouns. Whoever read it, `ordenes` writes it. */
export type VentaLeida = {
  marketId: string;
  /** What people search: the number of the cart when there is one. */
  numOrden: string;
  packId: string | null;
  fechaCreacion: Date;
  fechaCierre: Date | null;
  /** The document's own date of change, which is not the date of the row that announced it. An older reading changes nothing. */
  version: Date;
  situacion: Situacion;
  /** The marketplace's own words, kept as evidence: no rule reads them. */
  marketStatus: string;
  tags: string[];
  /** The marketplace itself invoices it to the buyer. */
  facturaElMercado: boolean;
  /** Null: the sum of its articulos. */
  total: Money | null;
  /** What lists call it. */
  titulo: string;
  articulos: ArticuloLeido[];
  pagos: PagoLeido[];
  comprador: CompradorLeido;
  /** The shipment it travels in. */
  envioId: string | null;
  /** Shipments that were read; sales of one cart hold the same object. */
  envios: EnvioLeido[];
  /** Without a shipment it is ours to send; false while it is too early to tell. */
  propioSinEnvio: boolean;
  /** The buyer and we agreed on the delivery: it never has a shipment. */
  acordada: boolean;
  /** Undefined: not read this time, what is stored stays. */
  cargos: CargosLeidos | undefined;
  /** A sale that was paid and whose payments nobody tells: what it itself says was paid. */
  pagadoAparte: Money | null;
  /** Details that could not be read this time, and why. */
  sinLeer: string[];
  /** What this look could not bring, to come back for it. */
  falta: { documento: boolean; envio: boolean; retencion: boolean };
  /** When to look again whatever is missing, and when its charges may have changed. */
  mirarEn: Date | null;
  mirarCargosEn: Date | null;
  /** Nobody will tell how far its shipment gets, so there is nothing to look again for. */
  envioCallado?: boolean;
  /** The answer as it came; `VentaConocida` hands it back. */
  documento: unknown;
  /** Of a partial answer: the same sale, with what it could not tell taken from the document we hold. */
  completar?: (documento: unknown) => VentaLeida;
};

/** What we hold of a sale, as far as it spares reading again. */
export type VentaConocida = {
  version: Date;
  retencion: Money | null;
  /** When its charges were read last, and when its money is free. */
  cargosEn: Date | null;
  liberacion: Date | null;
  envio: {
    marketId: string;
    actualizadoEn: Date;
    costo: Money | null;
    /** What it was paid with is here. */
    pagos: boolean;
  } | null;
  /** The tax data of its buyer is here. */
  comprador: boolean;
  /** Nobody looks again after this time: it takes what there is. */
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
  /** What the buyer's card was charged, the interest of instalments included. */ conIntereses: Money;
  devuelto: Money;
  aprobadoEn: Date | null;
  modificadoEn: Date | null;
};

/** What of the marketplace's document a person looks at in the sale's dialog. */
export type DetalleDeDocumento = {
  pagos: PagoDeDocumento[];
  cancelacion: { motivo: string | null; quien: string | null; fecha: Date | null } | null;
};
