import { z } from 'zod';
import { env } from '~/core/env.server';
import { defineCarta } from '~/platform/effects/carta.server';

/** The letter to every sa about a change of state, one for each change. A repetition has the same Message-ID. */
export const mailCondicion = defineCarta({
  type: 'condicion.mail',
  label: 'Aviso de operación',
  request: z.object({
    clave: z.string(),
    cambio: z.string(),
    emails: z.array(z.string()).min(1),
    asunto: z.string(),
    texto: z.string(),
  }),
  key: ({ clave, cambio }) => `condicion:${clave}:${cambio}`,
  subjects: ({ clave }) => [['condicion', clave]],
  summary: ({ asunto, emails }) => ({ que: asunto, emails }),
  // The condition's own row and the log tell of it, so the bitacora does not.
  write: ({ request: { emails, asunto, texto } }) => ({
    to: emails,
    subject: `${env().MARCA}: ${asunto}`,
    text: `${texto}\n\n${env().APP_URL}`,
  }),
});
