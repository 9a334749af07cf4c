import { z } from 'zod';
import { Huella, Id } from '~/core/fields';
import { MOTIVO_KEYS } from './cancelacion';

/** One document, by its id. */
export const UnaFactura = z.object({ factura: Id });

/** 'Pedir otra vez'. `tipo` names the document in questions and notices, and decides nothing else. */
export const PedirOtraVez = UnaFactura.extend({
  tipo: z.enum(['individual', 'global', 'notaCredito']).catch('individual'),
});

/** 'Cancelar', with the motive and the mark of the screen. */
export const CancelarFactura = PedirOtraVez.extend({
  huella: Huella,
  motivo: z.enum(MOTIVO_KEYS, { error: 'Elige el motivo de cancelación.' }),
});
