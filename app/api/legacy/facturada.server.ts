import { z } from 'zod';
import { Saturated } from '~/core/errors';
import { ApiProblem } from '../problem.server';

/** A factura that the PAC stamped: success has a folio, always. */
export const Facturada = z.object({
  response: z.literal('success'),
  error: z.literal(false),
  message: z.string(),
  INV: z.object({ Serie: z.string(), Folio: z.string() }),
});

/** The refusal while the PAC has not confirmed a receiver: the same call asked again goes on. */
export const sinConfirmar = (texto: string, cause?: unknown) =>
  new ApiProblem('en-curso', texto, { titulo: 'Facturación', cause });

/** Waits for a factura to be asked for. Throws by the flag, never a 503, while the PAC has not confirmed its receiver. */
export async function untilConfirmed<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    throw error instanceof Saturated ? sinConfirmar(error.message, error) : error;
  }
}

/** Throws while there is no folio yet: the same call asked again answers with it. */
export function facturadaOf(folio: string | undefined): z.output<typeof Facturada> {
  if (folio === undefined)
    throw new ApiProblem('en-curso', 'La factura está en proceso. Consulta la orden en un momento.', {
      titulo: 'Facturación',
    });
  const [Serie = '', Folio = ''] = folio.split('-');
  const message = `La factura con folio: ${folio} se ha creado correctamente. Se enviara la informacion al correo de contacto.`;
  return { response: 'success', error: false, message, INV: { Serie, Folio } };
}
