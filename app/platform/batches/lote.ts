import type { Question } from '~/core/fieldRules';
import { cuenta } from '~/core/cuenta';
import type { Money } from '~/core/money';

/** More than these are not chosen one by one; more than those are not done in one go. */
export const MAX_ELEGIDAS = 500;
export const MAX_LOTE = 2_000;

/** In the singular for one, in the plural for the rest. */
export const cuantas = (n: number, una: string, muchas: string) => (n === 1 ? `1 ${una}` : `${cuenta(n)} ${muchas}`);

export const OTRA_PERSONA = 'Otra persona modificó este registro. Vuelve a cargarlo.';

/** What the rows of it are called: 'orden', 'ordenes' and, at the head of its first columns, 'No. Orden' and 'Título'. */
export type Nombres = { una: string; muchas: string; clave: string; titulo: string };

/** What a page says of something that is done to many rows. */
export type Rotulos = {
  boton: string;
  nombres: Nombres;
  /** Of so many rows, worth so much together. What leaves nothing outside and changes nothing is done without a question. */
  pregunta?: (n: number, suma: Money) => Question;
  hecho: string;
  fallo: string;
};
