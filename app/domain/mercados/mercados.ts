import type { Market } from '~/core/market';
import { SELLER_CENTRAL } from '~/core/sellerCentral';

/** What people and our rules have to know of a marketplace without asking it. A rule asks for a trait and never for a name. */
export type Rasgos = {
  label: string;
  /** Where there is room for little. */ siglas: string;
  /** The seller's page of a sale; a cart has one page, under its own number. */
  ventaUrl: (numOrden: string) => string;
  /** It passes our messages on to the buyer. */
  mensajes: boolean;
  /** How the buyer gets the CFDI of a sale there: it is kept with the sale, or goes as a message of its own. */
  entregaCfdi: 'documento' | 'mensaje';
  /** It prints the label of the packages that it carries. */
  imprimeGuias: boolean;
  /** What it is told of the packages we send ourselves: each step of the way, or once that they left. */
  avisoDeEnvio: 'avance' | 'salida';
  /** What a list shows of a sale is how far its shipment got. */
  estatusDelEnvio: boolean;
  /** The screen from which things are put on sale there. */
  publicador: string | null;
};

export const MERCADOS: Readonly<Record<Market, Rasgos>> = {
  ml: {
    label: 'Mercado Libre',
    siglas: 'ML',
    ventaUrl: (numOrden) => `https://www.mercadolibre.com.mx/ventas/${numOrden}/detalle`,
    mensajes: true,
    entregaCfdi: 'documento',
    imprimeGuias: true,
    avisoDeEnvio: 'avance',
    estatusDelEnvio: true,
    publicador: 'publicadorML',
  },
  amz: {
    label: 'Amazon',
    siglas: 'AMZ',
    ventaUrl: (numOrden) => `${SELLER_CENTRAL}/orders-v3/order/${numOrden}`,
    mensajes: false,
    entregaCfdi: 'mensaje',
    imprimeGuias: false,
    avisoDeEnvio: 'salida',
    estatusDelEnvio: false,
    publicador: null,
  },
};

/** The marketplaces of which something holds, for a condition in SQL. */
export const mercadosDe = (trait: 'mensajes'): Market[] =>
  (Object.keys(MERCADOS) as Market[]).filter((market) => MERCADOS[market][trait]);

/** The marketplace where a screen puts things on sale. */
export function publicadoPor(pantalla: string): Market {
  const market = (Object.keys(MERCADOS) as Market[]).find((one) => MERCADOS[one].publicador === pantalla);
  if (!market) throw new Error(`${pantalla} no publica en ningún mercado`);
  return market;
}
