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
  /** It sells the label of the packages that we send ourselves, to the accounts that may. */
  vendeGuias: boolean;
  /** What it is told of the packages we send ourselves: each step of the way, or once that they left. */
  avisoDeEnvio: 'avance' | 'salida';
  /** What a list shows of a sale is how far its shipment got. */
  estatusDelEnvio: boolean;
  /** The screen that was made for putting things on sale there; those of other marketplaces are a choice of it. */
  publicador: string | null;
  publicaciones: RasgosDePublicacion;
};

type Tono = 'ok' | 'aviso' | 'mal' | 'neutro';

/** How its listings are told to people. */
export type RasgosDePublicacion = {
  /** On the checkbox of the list. */ casilla: string;
  /** Its words for how a listing stands (spec 001, section 4). */
  estatus: Readonly<Record<string, { label: string; tono: Tono }>>;
  /** Those that people may choose. */ editables: readonly string[];
  /** Of one that was sent there and that it does not show yet; null where it shows at once. */ creandose:
    string | null;
  /** Where nothing but having no pieces pauses a listing: how that and having some is called. */
  porPiezas: { sin: string; con: string } | null;
  /** Its title is the listing's own, and not that of a page of the catalogue. */ tituloPropio: boolean;
  /** Its kinds of listing of one product, in the order in which they are shown. */ tipos: Readonly<
    Record<string, string>
  >;
  /** Those of them that are put on sale from here, in the order in which they are asked. */
  publicables: readonly string[];
  /** Where people change one themselves. */
  editarUrl: (cual: { clave: string; marketId: string | null }) => string;
};

export const MERCADOS: Readonly<Record<Market, Rasgos>> = {
  ml: {
    label: 'Mercado Libre',
    siglas: 'ML',
    ventaUrl: (numOrden) => `https://www.mercadolibre.com.mx/ventas/${numOrden}/detalle`,
    mensajes: true,
    entregaCfdi: 'documento',
    imprimeGuias: true,
    vendeGuias: false,
    avisoDeEnvio: 'avance',
    estatusDelEnvio: true,
    publicador: 'publicadorML',
    publicaciones: {
      casilla: 'Mercado libre',
      estatus: {
        pending: { label: 'Pendiente', tono: 'neutro' },
        not_yet_active: { label: 'Aún no activa', tono: 'mal' },
        programmed: { label: 'Programada', tono: 'neutro' },
        active: { label: 'Activa', tono: 'ok' },
        paused: { label: 'Pausada', tono: 'mal' },
        closed: { label: 'Cerrada', tono: 'mal' },
        under_review: { label: 'En revisión', tono: 'aviso' },
        inactive: { label: 'Inactiva', tono: 'aviso' },
        payment_required: { label: 'Pago requerido', tono: 'aviso' },
      },
      editables: ['active', 'paused'],
      creandose: null,
      porPiezas: null,
      tituloPropio: true,
      tipos: { gold_pro: 'Premium', gold_special: 'Clásica', free: 'Gratuita' },
      publicables: ['gold_special', 'gold_pro'],
      editarUrl: ({ clave }) => `https://www.mercadolibre.com.mx/syi/core/modify?itemId=${encodeURIComponent(clave)}`,
    },
  },
  amz: {
    label: 'Amazon',
    siglas: 'AMZ',
    ventaUrl: (numOrden) => `${SELLER_CENTRAL}/orders-v3/order/${numOrden}`,
    mensajes: false,
    entregaCfdi: 'mensaje',
    imprimeGuias: false,
    vendeGuias: true,
    avisoDeEnvio: 'salida',
    estatusDelEnvio: false,
    publicador: null,
    publicaciones: {
      casilla: 'Amazon',
      estatus: {
        enCreacion: { label: 'Creando publicacion', tono: 'neutro' },
        errorXML: { label: 'Error en el XML', tono: 'mal' },
        errorCreatedFeed: { label: 'Error en el market amazon', tono: 'mal' },
        DONE: { label: 'Activa', tono: 'ok' },
        CANCELLED: { label: 'Cerrada', tono: 'mal' },
        FATAL: { label: 'Error fatal en Amazon', tono: 'mal' },
        inactiva: { label: 'Inactiva', tono: 'aviso' },
      },
      editables: ['DONE', 'inactiva'],
      creandose: 'enCreacion',
      porPiezas: { sin: 'inactiva', con: 'DONE' },
      tituloPropio: false,
      tipos: {},
      publicables: ['unica'],
      editarUrl: ({ clave, marketId }) =>
        `https://sellercentral.amazon.com.mx/inventory?${
          marketId
            ? new URLSearchParams({ searchField: 'ASIN', searchValue: marketId })
            : new URLSearchParams({ search: clave })
        }`,
    },
  },
};

/** Sent to its marketplace, which does not show it yet: nothing of it can be read or changed there. */
export const seCrea = (market: Market, estatus: string): boolean =>
  MERCADOS[market].publicaciones.creandose === estatus;

/** The marketplaces of which something holds, for a condition in SQL. */
export const mercadosOf = (trait: 'mensajes'): Market[] =>
  (Object.keys(MERCADOS) as Market[]).filter((market) => MERCADOS[market][trait]);

/** The marketplace where a screen puts things on sale. */
export function publicadoPor(pantalla: string): Market {
  const market = (Object.keys(MERCADOS) as Market[]).find((one) => MERCADOS[one].publicador === pantalla);
  if (!market) throw new Error(`${pantalla} no publica en ningún mercado`);
  return market;
}
