/** The state of a shipment as it was last read, as far as it decides whether its marketplace prints the label. */
export type PorImprimir = {
  estatus: string;
  subestatus: string | null;
  modo: string | null;
  tipoLogistico: string | null;
};

/** Why a shipment has no label. `espera`: the label comes later. */
export type SinGuia = { espera: boolean; porque: string };

/** Facts about a marketplace that people and rules need without asking it. A rule asks for a trait and never for a name. */
export type Rasgos = {
  label: string;
  /** Short name, where there is room for little. */
  siglas: string;
  /** The seller's page of a sale; a cart has one page, under its own number. */
  ventaUrl: (numOrden: string) => string;
  /** The seller's page of a claim; absent where buyers do not claim. */
  reclamoUrl?: (marketId: string) => string;
  /** The page of a listing as buyers see it, by the number in a question; absent where buyers do not ask. */
  articuloUrl?: (publicacionId: string) => string;
  /** The marketplace passes our messages on to the buyer. */
  mensajes: boolean;
  /** Why the marketplace prints no label of a shipment; null when it prints one now. */
  sinGuia: (envio: PorImprimir) => SinGuia | null;
  /** The marketplace sells the label of the packages that we send ourselves, to the accounts that may. */
  vendeGuias: boolean;
  /**
   * The packages of ours that the marketplace is told about: each step of the way (`avance`), or once that they left (`salida`). `modos` are
   * the shipping modes whose tracking it takes; null for any.
   */
  avisoDeEnvio: { cuando: 'avance' | 'salida'; modos: readonly string[] | null };
  /** What our own shipping of its sales costs is written down by people on 'Cotizar envios'. */
  cotizaEnvio: boolean;
  /** A list shows of a sale how far its shipment got. */
  estatusDelEnvio: boolean;
  /** The screen that was made for putting things on sale there; null where the marketplace is a choice inside another screen. */
  publicador: string | null;
  publicaciones: RasgosDePublicacion;
};

type Tono = 'ok' | 'aviso' | 'mal' | 'neutro';

/** How the listings of a marketplace are told to people. */
export type RasgosDePublicacion = {
  /** The label of its checkbox over the list. */
  casilla: string;
  /** The marketplace's words for how a listing stands. */
  estatus: Readonly<Record<string, { label: string; tono: Tono }>>;
  /** The states that people may choose. */
  editables: readonly string[];
  /** The state of a listing that was sent and that the marketplace does not show yet; null where a listing shows at once. */
  creandose: string | null;
  /** The states with and without pieces, where nothing else pauses a listing. */
  porPiezas: { sin: string; con: string } | null;
  /** The title is the listing's own, and not that of a page of the catalogue. */
  tituloPropio: boolean;
  /** The kinds of listing of one product, in the order in which they are shown. */
  tipos: Readonly<Record<string, string>>;
  /** The kinds that are put on sale from here, in the order in which they are asked. */
  publicables: readonly string[];
  /** The marketplace's own page to change a listing. */
  editarUrl: (cual: { clave: string; marketId: string | null }) => string;
};
