import { z } from 'zod';
import { env } from '~/core/env.server';
import { sendCarta } from '~/platform/effects/carta.server';
import { defineEffect } from '~/platform/effects/definition';

/** The letter to every sa about a change of state: one per change. At least once, with the same Message-ID. */
export const mailCondicion = defineEffect({
  type: 'condicion.mail',
  label: 'Aviso de operación',
  connection: 'correo',
  request: z.object({
    clave: z.string(),
    cambio: z.string(),
    emails: z.array(z.string()).min(1),
    asunto: z.string(),
    texto: z.string(),
  }),
  evidence: z.object({ messageId: z.string() }),
  byHand: { says: 'done', evidence: { messageId: 'confirmado' } },
  key: ({ clave, cambio }) => `condicion:${clave}:${cambio}`,
  subjects: ({ clave }) => [['condicion', clave]],
  summary: ({ asunto, emails }) => ({ que: asunto, emails }),
  unclear: 'repeat',
  async send({ request: { emails, asunto, texto }, ref, clients }) {
    return sendCarta({
      ref,
      clients,
      to: emails,
      subject: `${env().MARCA}: ${asunto}`,
      text: `${texto}\n\n${env().APP_URL}`,
    });
  },
  confirm: async (_call, evidence) => evidence,
  // The condition's own row and the log tell of it.
  settle: async () => undefined,
});
