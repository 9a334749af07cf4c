import type { NombreIcono } from '~/core/nombreIcono';
import type { Capabilities } from '~/platform/connections/definition';
import type { Db } from '~db/client.server';
import type { Clase } from './internal/primera';
import type { Plazos, Tono } from './reloj';

/** A thing that waits for a person. */
export type Cosa = {
  /** Id of this one wait. A thing that waits again another day has another id, so no owner and no delay is left on it. */
  id: string;
  titulo: string;
  detalle: string;
  /** Address where the thing is seen to, inside the area of the person who looks. */
  a: string;
  desde: Date;
  /** Moment from which the thing is late; null where its age alone tells. */
  vence: Date | null;
  /** Text in place of the clock, for things that have none. */
  dice?: { texto: string; tono: Tono };
  /** False for a thing that cannot be seen to in its card, though others of its queue can. */
  aqui?: boolean | undefined;
};

/** A look at a queue. */
export type Mirada = {
  ahora: Date;
  /** Most things that are told one by one. */
  limite: number;
  /** Ids of things that were put aside: told last, and counted apart. */
  aparte: readonly string[];
  /** Id of the only thing to look for, if it still waits. */
  solo?: string;
  quien: { id: string; rol: string };
};

/** Result of a look at a queue: `tarde` of `total` are late, and `atrasadas` of them by weeks. Things stand the most urgent first and those put aside last. */
export type Cuantas = {
  total: number;
  tarde: number;
  atrasadas: number;
  aparte: number;
  cosas: (Cosa & { aparte: boolean })[];
};

/**
 * A queue: one kind of thing that waits for people. The noun of the thing declares it, and `hoyCatalog` lists it; page, menu and rights read nothing
 * else.
 */
export type Cola = {
  /** Name of the queue. Stored with the owner of each thing: it never changes. */
  clave: string;
  titulo: string;
  icono: NombreIcono;
  /** Screens where the things are seen to, the preferred one first. A person who may open none of them never hears of the queue. */
  pantallas: readonly [string, ...string[]];
  /** Text of the link to that screen; empty where no view of it shows these things alone. */
  ver: string;
  /** Noun of the things, where the list behind the link counts others: packages of sales. */
  cuenta?: readonly [una: string, muchas: string];
  /** Address of the view that shows these things alone, after the screen it belongs to. */
  vistas?: Readonly<Record<string, string>>;
  plazos: Plazos;
  /** What is lost while nobody sees to it; a chore where nothing is said. */
  clase?: Clase;
  /** Kind of work of the far sides that fill the queue. While none of them is linked, an empty queue says so and is not 'Al día'. */
  necesita?: keyof Capabilities & string;
  /** True for work that goes on by itself: nobody takes it, no count of the menu has it, and it is never the first thing to do. */
  sola?: true;
  /** True when each person sees things of their own. */
  dePersona?: true;
  /**
   * The list whose acts on several rows see to many of the things at once, with the names of those acts. `filasOf` returns the rows that things stand for;
   * without it a thing's id is its row's.
   */
  lote?: { lista: string; hacer: readonly string[]; filasOf?: (db: Db, cosas: readonly string[]) => Promise<string[]> };
  /** How long one look serves everybody, in ms; `FRESCO_MS` without it. */
  frescoMs?: number;
  /** Looks at the queue by one statement, over rows that an index finds. */
  mira(db: Db, mirada: Mirada): Promise<Cuantas>;
};
