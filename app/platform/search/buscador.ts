import type { Db } from '~db/client.server';
import type { Identificador } from '~/core/identificador';

/** `entero`: what somebody typed is one whole identifier. At most `limite` of a kind are shown. */
export type Busqueda = { texto: string; entero: Identificador | null; limite: number };

/** What can be done with what was found, on the screen that does it. */
export type Accion = { titulo: string; pantalla: string; a: string };

/** A line of what was found. `a` is an address inside the area of whoever looks, which shows it whole. */
export type Hallazgo = {
  id: string;
  titulo: string;
  detalle: string;
  fecha: Date | null;
  a: string;
  acciones?: Accion[];
};

/** One kind of thing that can be found from anywhere, over all of time. Told by its room and listed in `searchCatalog`. */
export type Buscador = {
  clase: string;
  titulo: string;
  /** The screen that shows it: who may open that one may find it. */
  pantalla: string;
  /** The newest first. */
  find(db: Db, busqueda: Busqueda): Promise<Hallazgo[]>;
};
