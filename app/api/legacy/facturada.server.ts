import { z } from 'zod';
import { ApiProblem } from '../problem.server';

/** A factura that the PAC stamped: success has a folio, always. */
export const Facturada = z.object({
  response: z.literal('success'),
  error: z.literal(false),
  message: z.string(),
  INV: z.object({ Serie: z.string(), Folio: z.string() }),
});

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
