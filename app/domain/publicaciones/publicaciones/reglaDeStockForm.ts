import { z } from 'zod';
import { enteroEscrito } from '~/core/escrito';
import { Huella, opcional, REQUERIDO } from '~/core/fields';

const Colchon = enteroEscrito(REQUERIDO, 'Son de 0 a 9999 piezas.', { min: '0', max: '9999' });
const Tope = opcional(enteroEscrito(REQUERIDO, 'Son de 0 a 99999 piezas.', { min: '0', max: '99999' }));

/** How many pieces of a supplier are kept back at each marketplace, and how many are shown at most. Without a cap it is all the rest. */
export const ReglaDeStockForm = z.object({
  huella: Huella,
  mlColchon: Colchon,
  mlTope: Tope,
  amzColchon: Colchon,
  amzTope: Tope,
});
export type ReglaDeStockForm = z.infer<typeof ReglaDeStockForm>;
