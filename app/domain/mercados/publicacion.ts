import type { Money } from '~/core/money';
import type { Asking } from '~/domain/mercados/internal/listado';

/** What any marketplace tells of a listing, in our nouns. */
export type PublicacionLeida = {
  /** By what the marketplace knows it. */ clave: string;
  /** What people see of it: the item, or the ASIN, which comes later. */ marketId: string | null;
  sku: string | null;
  titulo: string;
  precio: Money | null;
  stock: number | null;
  vendido: number | null;
  /** In the marketplace's word. */ estatus: string;
  subestatus: string[];
  /** What the marketplace finds wrong with it, in words. */ problemas: string[];
  tipo: string | null;
  categoriaId: string | null;
  link: string | null;
  /** Its stock lies with the marketplace, which counts it. */ stockAjeno: boolean;
  variantes: number;
  fechaCreacion: Date | null;
  cambioEn: Date | null;
  /** As it came, without what nobody looks at. */ datos: unknown;
};

/** One that was asked for: as it is, gone, or what kept it from being understood. */
export type Hallada =
  { clave: string; leida: PublicacionLeida } | { clave: string; falta: true } | { clave: string; ilegible: string };

/**
 * A stretch of all that is on sale. `sigue`: where the next one begins, if whoever reads stops here. `esperarMs`: the marketplace is still making the list.
 */
export type Tramo = { claves: string[]; sigue: string | null; esperarMs?: number };

/** What the marketplace lets us change, and how. */
export type CapacidadesDePublicacion = {
  /** Changes go one by one, or also many in a file that is worked on by itself. */ cambios: 'unoPorUno' | 'archivo';
};

export type LimitesDePublicacion = {
  /** Listings in one answer. */ porLectura: number;
  /** Changes in one minute. */ cambiosPorMinuto: number;
  /** Changes in one file. */ porArchivo: number;
  /** Seconds from one file to the next. */ entreArchivosS: number;
};

/** What a marketplace shows of ours to its buyers. Opened for one run. */
export type Escaparate = {
  /** All of it, in stretches; goes on at `sigue`, or from the beginning where that is too old. */
  todas(sigue: string | null, asking: Asking): AsyncGenerator<Tramo, void>;
  /** Those that changed since, the newest first as far as the marketplace tells them. Whoever reads stops when it knows them. */
  movidas(desde: Date | null, asking: Asking): AsyncGenerator<string[], void>;
  /** At most `porLectura` at once. */
  leer(claves: readonly string[]): Promise<Hallada[]>;
  /** All that carry a sku. */
  conSku(sku: string): Promise<string[]>;
};
