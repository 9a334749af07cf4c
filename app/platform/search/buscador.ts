import type { Db } from '~db/client.server';
import type { Identificador } from '~/core/identificador';

/** A text to be found. `entero` is set when the whole text is one identifier; `limite` is the most that is shown of a kind. */
export type Busqueda = { texto: string; entero: Identificador | null; limite: number };

/** An act that is offered for a thing that was found, on the screen that does it. */
export type Accion = { titulo: string; pantalla: string; a: string };

/** A thing that was found. `a` is the address that shows it whole, inside the area of the person who looks. */
export type Hallazgo = {
  id: string;
  titulo: string;
  detalle: string;
  fecha: Date | null;
  a: string;
  acciones?: Accion[];
};

/** One kind of thing that the search box finds, over all of time. The noun of the thing declares it, and `searchCatalog` lists it. */
export type Buscador = {
  clase: string;
  titulo: string;
  /** Screen that shows the thing: a person who may open that screen may find the thing. */
  pantalla: string;
  /** Returns the things that match, the newest first. */
  find(db: Db, busqueda: Busqueda): Promise<Hallazgo[]>;
};
