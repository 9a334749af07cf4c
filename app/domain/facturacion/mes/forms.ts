import { z } from 'zod';
import { Huella, Id, MostradoForm } from '~/core/fields';
import { isMes } from '~/core/text';
import { TABLA_KEYS } from './mes';

const MES = 'Selecciona un mes.';

/** Begins the batch of one table of a month. */
export const EmitirMes = z.object({
  tabla: z.enum(TABLA_KEYS, { error: MES }),
  mes: z.string({ error: MES }).refine(isMes, MES),
  huella: Huella,
  mostrado: MostradoForm,
});

/** Tries again what failed in a batch. */
export const ReintentarLote = z.object({ lote: Id });
