import type { Money } from '~/core/money';
import type { EstadoDePromocion, LugarDeCompetencia } from '~db/columns';
import type { Asking } from '~/domain/mercados/internal/listado';

/** A listing, as a marketplace tells it. */
export type PublicacionLeida = {
  /** The marketplace's key of the listing. */
  clave: string;
  /** The number that people see: the item, or the page of the catalogue, which comes later. */
  marketId: string | null;
  sku: string | null;
  titulo: string;
  precio: Money | null;
  /** The price that it is really sold at, null where the marketplace told none; left out where nobody asked. */
  precioVenta?: Money | null;
  /** The pieces of ours. Of a listing without any, those that lie with the marketplace. */
  stock: number | null;
  vendido: number | null;
  /** The marketplace's word for how the listing stands. */
  estatus: string;
  subestatus: string[];
  /** The problems that the marketplace tells of the listing, in words. */
  problemas: string[];
  tipo: string | null;
  categoriaId: string | null;
  link: string | null;
  /** The marketplace takes no pieces from us: they lie with it, or it has closed ours. */
  stockAjeno: boolean;
  /** The pieces that lie with the marketplace beside those of ours; null where there are none, or nobody tells. */
  piezasAjenas: number | null;
  /** The marketplace's product whose pieces the listing sells, as its notices of pieces name it; null where there is none. */
  productoAlla: string | null;
  /** The marketplace moves the price by a rule that was set there, and takes none from us. */
  precioAjeno: boolean;
  /** The listing stands on a page that it shares with other sellers; null where the marketplace does not say so. */
  deCatalogo: boolean | null;
  variantes: number;
  fechaCreacion: Date | null;
  cambioEn: Date | null;
  /** The answer as it came, without the fields that nobody looks at. */
  datos: unknown;
};

/** A listing that was asked for: as it stands, gone (`falta`), or why it was not understood (`ilegible`). */
export type Hallada =
  { clave: string; leida: PublicacionLeida } | { clave: string; falta: true } | { clave: string; ilegible: string };

/** The standing of a listing against the other sellers of its page, at the instant of the answer. Null is what the marketplace did not tell. */
export type Competencia = {
  lugar: LugarDeCompetencia;
  /** Reasons why it stands there, in words for people. */
  razones: string[];
  /** Our price as the marketplace compared it. */
  nuestro: Money | null;
  /** The price with which the listing would win. */
  paraGanar: Money | null;
  /** The price of the one who wins. */
  ganador: Money | null;
  /** The number of others who share the first place. */
  comparten: number | null;
};

/** A listing whose standing was asked for. `negada`: why nothing is known, and `cuenta` where the no is about the account rather than about the listing. */
export type CompetenciaHallada =
  { clave: string; competencia: Competencia } | { clave: string; negada: string; cuenta: boolean };

/** The reading of how listings stand against other sellers. It only reads. */
export type LecturaDeCompetencia = {
  /** Listings in one question. */
  porLectura: number;
  /** Listings in one run, so that a run stays short at the pace of the marketplace. */
  porVez: number;
  /** Reads at most `porLectura` listings. Throws Unavailable where the marketplace did not answer. */
  leer(claves: readonly string[]): Promise<CompetenciaHallada[]>;
};

/** A promotion of a listing, as its marketplace tells it. Null is what the marketplace did not tell. */
export type PromocionLeida = {
  /** The name of the promotion among those of its listing. */
  clave: string;
  /** The marketplace's word for the kind, and its key of the promotion: both name it there. */
  tipo: string;
  promocion: string | null;
  nombre: string;
  /** How far it is; null for a word that nobody knows, which `palabra` holds as it came. */
  estado: EstadoDePromocion | null;
  palabra: string;
  /** The price that a buyer pays, and the price before the promotion. */
  precio: Money | null;
  original: Money | null;
  /** The parts of the discount that the marketplace and we pay, in percent. */
  pone: Money | null;
  ponemos: Money | null;
  desde: Date | null;
  hasta: Date | null;
  /** Why it cannot be removed from here; null where it can. */
  soloAlla: string | null;
};

/**
 * A listing whose promotions were asked for. `excluida`: the marketplace starts no promotion of it by itself; null where nobody asked, or it did not tell.
 * `negada`: why nothing is known, and `cuenta` where the no is about the account.
 */
export type PromocionesHalladas =
  | { clave: string; promociones: PromocionLeida[]; excluida: boolean | null }
  | { clave: string; negada: string; cuenta: boolean };

/** The reading of the promotions of listings. It only reads. */
export type LecturaDePromociones = {
  /** Listings in one question. */
  porLectura: number;
  /** Listings in one run, so that a run stays short at the pace of the marketplace. */
  porVez: number;
  /** Reads at most `porLectura` listings. Throws Unavailable where the marketplace did not answer. */
  leer(claves: readonly string[]): Promise<PromocionesHalladas[]>;
};

/**
 * A stretch of all listings. `sigue` is where the next stretch begins, for a reader that stops here. `esperarMs`: the marketplace is still making the
 * list.
 */
export type Tramo = { claves: string[]; sigue: string | null; esperarMs?: number };

/** The ways in which a marketplace takes changes. */
export type CapacidadesDePublicacion = {
  /** Changes go one by one, or also many in one file. */
  cambios: 'unoPorUno' | 'archivo';
};

/** The limits of a marketplace for reading and changing listings. */
export type LimitesDePublicacion = {
  /** Listings in one answer. */
  porLectura: number;
  /** Changes in one minute. */
  cambiosPorMinuto: number;
  /** Changes in one file. */
  porArchivo: number;
  /** Seconds from one file to the next. */
  entreArchivosS: number;
};

/** Our listings at a marketplace, opened for one run. */
export type Escaparate = {
  /** Lists all keys in stretches, from `sigue` on, or from the beginning where that is too old. */
  todas(sigue: string | null, asking: Asking): AsyncGenerator<Tramo, void>;
  /** Lists the keys that changed since, the newest first, as far as the marketplace tells them. The reader stops at those it knows. */
  movidas(desde: Date | null, asking: Asking): AsyncGenerator<string[], void>;
  /**
   * Reads listings, at most `porLectura` at once. `porLugar` asks for the places of their pieces even where the listing tells their sum; it throws
   * Unavailable rather than wait for the pace of such reads. `deVenta` asks for the price that each is really sold at, where the marketplace tells it.
   */
  leer(claves: readonly string[], options?: { porLugar?: boolean; deVenta?: boolean }): Promise<Hallada[]>;
  /** Reads the text of a listing, where its document does not bring the text; null when there is none. */
  descripcion?(clave: string): Promise<string | null>;
  /** How listings stand against other sellers; absent where the marketplace does not tell it. */
  competencia?: LecturaDeCompetencia;
  /** The promotions that the marketplace holds of listings; absent where it tells none. */
  promociones?: LecturaDePromociones;
  /** Finds the keys of all listings with a sku. */
  conSku(sku: string): Promise<string[]>;
};
