import type { Question } from '~/core/fieldRules';
import { writeCount } from '~/core/count';
import type { Money } from '~/core/money';

/** The most rows that a person chooses one by one in a list. */
export const MAX_ELEGIDAS = 500;
/** The most rows of one batch: all of a filtered list counts as well. */
export const MAX_BATCH = 2_000;

/** Text of a number of things: '1 orden', '2,000 ordenes'. */
export const cuantas = (n: number, una: string, muchas: string) =>
  n === 1 ? `1 ${una}` : `${writeCount(n)} ${muchas}`;

/** Nouns of a page about a batch: 'orden', 'ordenes' and, at the head of the first two columns, 'No. Orden' and 'Título'. */
export type Nombres = { una: string; muchas: string; clave: string; titulo: string };

/** Texts of an act that is done to many rows. */
export type Rotulos = {
  boton: string;
  nombres: Nombres;
  /**
   * The question before the act, for so many rows worth so much together, with what was said once for all of them. Absent: the act leaves nothing outside,
   * changes nothing and is done at once.
   */
  pregunta?: (n: number, suma: Money, datos?: unknown) => Question;
  hecho: string;
  fallo: string;
  /**
   * The screen where a row whose act left and came to nothing is put right, which opens at `campo` with the row's `clave`. The act is not tried again from
   * its batch. Absent: nothing of the row can be changed, and it is tried again. With `con: 'id'` the screen opens with the row's id, also for rows that
   * were refused here, and those are tried again as well.
   */
  corrige?: { boton: string; pantalla: string; campo: string; con?: 'id' };
};
