import { z } from 'zod';
import { Huella, Id } from '~/core/fields';
import { MOTIVO_KEYS } from './cancelacion';

export const UnaFactura = z.object({ factura: Id });

/** `tipo` is what questions and notices call it; nothing else hangs on it. */
export const PedirOtraVez = UnaFactura.extend({
  tipo: z.enum(['individual', 'global', 'notaCredito']).catch('individual'),
});

export const CancelarFactura = PedirOtraVez.extend({
  huella: Huella,
  motivo: z.enum(MOTIVO_KEYS, { error: 'Elige el motivo de cancelación.' }),
});
