import type { NivelCondicion } from '~db/columns';
import type { Db } from '~db/client.server';

/** A thing that somebody has to see to, and how: a condition returns one while it holds. */
export type Hallazgo = {
  /** `grave`: the product does not do its work, or soon will not. */
  nivel: NivelCondicion;
  texto: string;
  /** Act to do, in one sentence. */
  remedio: string;
  /** Screen where the thing is seen to, for a person who has that screen. */
  pantalla?: string;
};

/** Key of the condition that others could not look: what watches and gets no data is itself something to see to. */
export const SIN_MIRAR = 'sinMirar';

/** A thing that is watched. `mira` runs each minute, so it reads a few indexed rows. It throws where it gets no data: null says that all is well. */
export type Condicion = { clave: string; mira(db: Db): Promise<Hallazgo | null> };
