import { z } from 'zod';
import { importeEscrito } from '~/core/escrito';
import { Huella, REQUERIDO } from '~/core/fields';
import { MARKETS } from '~/core/market';

/** Of a hundred. */
const Porcentaje = importeEscrito(REQUERIDO, 'Escribe un porcentaje de 0 a 100.', { min: '0', max: '100' });

export const TarifaForm = z.object({
  market: z.enum(MARKETS),
  huella: Huella,
  comision: Porcentaje,
  retencionIva: Porcentaje,
  retencionIsr: Porcentaje,
});
