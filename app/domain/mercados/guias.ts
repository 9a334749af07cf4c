import type { Money } from '~/core/money';
import type { EstadoDeGuiaComprada } from '~db/columns';

/** Who sends, as a label says it. */
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
/** Of a package, in grams and centimetres. */
export type Medidas = { peso: number; largo: number; ancho: number; alto: number };

export type ServicioDeGuia = {
  id: string;
  nombre: string;
  paqueteria: string;
  precio: Money;
  /** When it is promised to arrive, as far as it is told. */ desde: Date | null;
  hasta: Date | null;
  /** Why it cannot be bought from here; null when it can. */ impide: string | null;
};

/** What a marketplace offers for a package. That it offers nothing is an answer. */
export type Cotizacion = {
  servicios: ServicioDeGuia[];
  rechazados: { nombre: string; motivo: string }[];
  /** Carriers whose terms the account did not accept. */ sinTerminos: string[];
  /** Carriers that do not answer at this moment. */ suspendidas: string[];
  /** The account may not buy labels there. */ sinPermiso: boolean;
  /** Offers that could not be read. */ ilegibles: number;
};

export type PorCotizar = {
  /** As the marketplace numbers it. */ venta: string;
  /** A label of it was bought and given back. */ otraVez: boolean;
  remitente: Remitente;
  paquete: Medidas;
};

/** A marketplace that sells the labels of what we send ourselves. It asks and buys nothing. */
export type VendedorDeGuias = {
  /** A text says why no label may be bought for this sale. */
  cotizar(por: PorCotizar): Promise<Cotizacion | string>;
  /** What became of one that was bought. */
  estado(marketId: string): Promise<EstadoDeGuiaComprada>;
};
