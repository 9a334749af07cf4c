import type { NivelCondicion } from '~db/columns';
import type { Db } from '~db/client.server';

/** Something that somebody has to see to, and how: what a condition finds while it holds. */
export type Hallazgo = {
  /** `grave`: the product does not do its work, or soon will not. */
  nivel: NivelCondicion;
  texto: string;
  /** What to do, in one sentence. */
  remedio: string;
  /** The screen where it is seen to, of whoever has it. */
  pantalla?: string;
};

/** One thing that is watched. Each room tells its own; the catalogue lists them. `mira` reads a few indexed rows: it runs each minute. */
export type Condicion = { clave: string; mira(db: Db): Promise<Hallazgo | null> };
