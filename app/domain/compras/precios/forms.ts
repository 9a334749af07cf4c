import { z } from 'zod';
import { Huella, Id, opcional, Texto, REQUERIDO } from '~/core/fields';
import { importeEscrito } from '~/core/escrito';
import { MARKETS } from '~/core/market';

const FRACCION = 'Escribe una fracción: 0.5 es 50 % sobre el costo.';

/** A mark-up as a fraction: '0.5' is 50 %. A value like '50' would sell at fifty times the cost and is refused. */
const Fraccion = Texto(20, FRACCION)
  .regex(/^(?:\d(?:[.,]\d{1,4})?|[.,]\d{1,4})$/, FRACCION)
  .transform((text) => text.replace(',', '.').replace(/^\./, '0.'));

/** The mark-ups of a supplier, with the mark of what the screen showed. An empty one of Premium is that of Clásica. */
export const GananciaForm = z.object({ huella: Huella, ml: Fraccion, premium: opcional(Fraccion), amz: Fraccion });

/** The mark-ups of one product. An empty one falls back to its supplier's, and Premium's to the product's own of Clásica first. */
export const PropiaForm = z.object({
  id: Id,
  huella: Huella,
  ml: opcional(Fraccion),
  premium: opcional(Fraccion),
  amz: opcional(Fraccion),
});

/** A percentage from 0 to 100. */
const Porcentaje = importeEscrito(REQUERIDO, 'Escribe un porcentaje de 0 a 100.', { min: '0', max: '100' });

/** The rates of a marketplace, with the mark of what the screen showed. An empty withholding is that of the law. */
export const TarifaForm = z.object({
  market: z.enum(MARKETS),
  huella: Huella,
  comision: Porcentaje,
  retencionIva: opcional(Porcentaje),
  retencionIsr: opcional(Porcentaje),
});
