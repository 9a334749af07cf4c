import type { Market } from '~/core/market';

/** What people and our rules have to know of a marketplace without asking it. A rule asks for a trait and never for a name. */
export type Rasgos = {
  label: string;
  /** Where there is room for little. */ siglas: string;
  /** The seller's page of a sale; a cart has one page, under its own number. */
  ventaUrl: (numOrden: string) => string;
  /** It passes our messages on to the buyer. */
  mensajes: boolean;
  /** It takes the CFDI of a sale and shows it to the buyer. */
  recibeCfdi: boolean;
  /** It prints the label of the packages that it carries. */
  imprimeGuias: boolean;
  /** It takes news of the packages we send ourselves. */
  recibeAvisosDeEnvio: boolean;
  /** What a list shows of a sale is how far its shipment got. */
  estatusDelEnvio: boolean;
};

export const MERCADOS: Readonly<Record<Market, Rasgos>> = {
  ml: {
    label: 'Mercado Libre',
    siglas: 'ML',
    ventaUrl: (numOrden) => `https://www.mercadolibre.com.mx/ventas/${numOrden}/detalle`,
    mensajes: true,
    recibeCfdi: true,
    imprimeGuias: true,
    recibeAvisosDeEnvio: true,
    estatusDelEnvio: true,
  },
  amz: {
    label: 'Amazon',
    siglas: 'AMZ',
    ventaUrl: (numOrden) => `https://sellercentral.amazon.com.mx/orders-v3/order/${numOrden}`,
    mensajes: false,
    recibeCfdi: false,
    imprimeGuias: false,
    recibeAvisosDeEnvio: false,
    estatusDelEnvio: false,
  },
};

/** The marketplaces of which something holds, for a condition in SQL. */
export const mercadosDe = (trait: 'mensajes' | 'recibeCfdi' | 'recibeAvisosDeEnvio'): Market[] =>
  (Object.keys(MERCADOS) as Market[]).filter((market) => MERCADOS[market][trait]);
