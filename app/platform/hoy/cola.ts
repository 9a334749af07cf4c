import type { NombreIcono } from '~/core/nombreIcono';
import type { Db } from '~db/client.server';
import type { Plazos, Tono } from './reloj';

/** One thing that waits for a person. */
export type Cosa = {
  /** Of this wait, and no other: what waits again another day has another one, so that nobody's name and no delay is left on it. */
  id: string;
  titulo: string;
  detalle: string;
  /** An address inside the area of whoever looks. */
  a: string;
  desde: Date;
  /** When it is late; null where only its age says so. */
  vence: Date | null;
  /** What stands where its clock would, of things that have none. */
  dice?: { texto: string; tono: Tono };
};

export type Mirada = {
  ahora: Date;
  /** At most so many are told one by one. */
  limite: number;
  /** Put aside: told last, and counted apart. */
  aparte: readonly string[];
  /** Only this one, if it still waits. */
  solo?: string;
  quien: { id: string; rol: string };
};

/** `tarde`: how many of `total` are late. The most urgent first, what was put aside last. */
export type Cuantas = { total: number; tarde: number; aparte: number; cosas: (Cosa & { aparte: boolean })[] };

/** One kind of thing that waits for people. Told by its room and listed in `hoyCatalog`: the page, the menu and the rights read nothing else. */
export type Cola = {
  /** Kept beside whose each thing is. */
  clave: string;
  titulo: string;
  icono: NombreIcono;
  /** Where it is seen to: the first of these that somebody may open. Who may open none never hears of it. */
  pantallas: readonly [string, ...string[]];
  /** The words of the link that leads there. */
  ver: string;
  plazos: Plazos;
  /** It goes on by itself: nobody's to take, in no count of the menu, never the first thing to do. */
  sola?: true;
  /** What one sees of it is not what another sees. */
  dePersona?: true;
  /** For how long one look serves everybody; `FRESCO_MS` without it. */
  frescoMs?: number;
  /** One statement, over rows that an index finds. */
  mira(db: Db, mirada: Mirada): Promise<Cuantas>;
};
