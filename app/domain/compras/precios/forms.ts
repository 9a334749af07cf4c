import { z } from 'zod';
import { Huella, Id, opcional, Texto, REQUERIDO } from '~/core/fields';
import { importeEscrito } from '~/core/escrito';
import { MARKETS } from '~/core/market';

const FRACCION = 'Escribe una fracción: 0.5 es 50 % sobre el costo.';

/** '0.5' for fifty in a hundred. Fifty would sell at fifty times the cost, and is refused. */
const Fraccion = Texto(20, FRACCION)
  .regex(/^(?:\d(?:[.,]\d{1,4})?|[.,]\d{1,4})$/, FRACCION)
  .transform((text) => text.replace(',', '.').replace(/^\./, '0.'));

export const GananciaForm = z.object({ huella: Huella, ml: Fraccion, amz: Fraccion });

/** Of one product. What is left empty is its supplier's. */
export const PropiaForm = z.object({ id: Id, huella: Huella, ml: opcional(Fraccion), amz: opcional(Fraccion) });

/** Of a hundred. */
const Porcentaje = importeEscrito(REQUERIDO, 'Escribe un porcentaje de 0 a 100.', { min: '0', max: '100' });

export const TarifaForm = z.object({
  market: z.enum(MARKETS),
  huella: Huella,
  comision: Porcentaje,
  retencionIva: Porcentaje,
  retencionIsr: Porcentaje,
});
