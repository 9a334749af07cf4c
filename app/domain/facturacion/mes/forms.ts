import { z } from 'zod';
import { Huella, Id, MostradoForm } from '~/core/fields';
import { isMes } from '~/core/text';
import { TABLA_KEYS } from './mes';

const MES = 'Selecciona un mes.';

/** Begins the batch of one table of a month, with the marks of its screen. */
export const EmitirMes = z.object({
  tabla: z.enum(TABLA_KEYS, { error: MES }),
  mes: z.string({ error: MES }).refine(isMes, MES),
  huella: Huella,
  mostrado: MostradoForm,
});

/** Tries the failed items of a batch again. */
export const ReintentarLote = z.object({ lote: Id });
