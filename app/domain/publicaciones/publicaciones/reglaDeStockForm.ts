import { z } from 'zod';
import { enteroEscrito } from '~/core/escrito';
import { Huella, opcional, REQUERIDO } from '~/core/fields';
import { type Market, MARKETS } from '~/core/market';

const Colchon = enteroEscrito(REQUERIDO, 'Son de 0 a 9999 piezas.', { min: '0', max: '9999' });
const Tope = opcional(enteroEscrito(REQUERIDO, 'Son de 0 a 99999 piezas.', { min: '0', max: '99999' }));

/** The pieces of a supplier that are kept back at each marketplace (`Colchon`), and the most that is shown there (`Tope`). Without a cap all the rest is shown. */
export const ReglaDeStockForm = z.object({
  huella: Huella,
  ...(Object.fromEntries(
    MARKETS.flatMap((market) => [
      [`${market}Colchon`, Colchon],
      [`${market}Tope`, Tope],
    ]),
  ) as Record<`${Market}Colchon`, typeof Colchon> & Record<`${Market}Tope`, typeof Tope>),
});
export type ReglaDeStockForm = z.infer<typeof ReglaDeStockForm>;
