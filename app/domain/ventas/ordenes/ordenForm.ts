import { z } from 'zod';
import { Huella, Id, TextoOpcional } from '~/core/fields';

export const UnaOrden = z.object({ orden: Id });

/** A decision about a sale that was paid and not fulfilled. `huella` marks the money and the decision that the screen showed; `folio` is that of a claim. */
export const DecidirDevueltaForm = z.object({
  orden: Id,
  huella: Huella,
  decision: z.enum(['facturar', 'esperar', 'reclamar', 'soltar']),
  folio: TextoOpcional(60),
});
export type DecisionEscrita = z.output<typeof DecidirDevueltaForm>;
