import type { Money } from '~/core/money';
import type { EstadoDeGuiaComprada } from '~db/columns';

/** The sender, as a label shows it. */
export type Remitente = {
  nombre: string;
  calle: string;
  colonia: string | null;
  ciudad: string;
  estado: string;
  cp: string;
  telefono: string;
  email: string;
};
/** Weight of a package in grams, and its sides in centimetres. */
export type Medidas = { peso: number; largo: number; ancho: number; alto: number };

/** A label on offer. `precio` is in pesos. */
export type ServicioDeGuia = {
  id: string;
  nombre: string;
  paqueteria: string;
  precio: Money;
  /** The promised arrival, from `desde` to `hasta`; null where the carrier tells none. */
  desde: Date | null;
  hasta: Date | null;
  /** Why the label cannot be bought from here; null when it can. */
  impide: string | null;
};

/** The offers of a marketplace for a package. No offer is an answer too. */
export type Cotizacion = {
  servicios: ServicioDeGuia[];
  rechazados: { nombre: string; motivo: string }[];
  /** Carriers whose terms the account did not accept. */
  sinTerminos: string[];
  /** Carriers that do not answer at this moment. */
  suspendidas: string[];
  /** The account may not buy labels there. */
  sinPermiso: boolean;
  /** Number of offers that could not be read. */
  ilegibles: number;
};

/** A package whose label is to be quoted. */
export type PorCotizar = {
  /** The marketplace's number of the sale. */
  venta: string;
  /** A label of the sale was bought before and given back. */
  otraVez: boolean;
  remitente: Remitente;
  paquete: Medidas;
};

/** The questions to a marketplace that sells the labels of what we send ourselves. None of them buys anything. */
export type VendedorDeGuias = {
  /** Quotes the labels of a package; a text says why none may be bought for this sale. */
  cotizar(por: PorCotizar): Promise<Cotizacion | string>;
  /** Reads what became of a label that was bought. */
  estado(marketId: string): Promise<EstadoDeGuiaComprada>;
};
