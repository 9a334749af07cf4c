import { env } from '~/core/env.server';
import type { EffectCall } from './definition';

type Carta = Pick<EffectCall<unknown>, 'ref' | 'clients'> & {
  to: string[];
  subject: string;
  text: string;
  attachments?: { filename: string; contentType: string; content: Buffer }[];
};

/** Sends the letter of an effect, always under the same Message-ID: a server that sees it twice can tell. Fails as the mailer does. */
export async function sendCarta({ ref, clients, attachments = [], ...carta }: Carta): Promise<{ messageId: string }> {
  const { messageId } = await clients
    .correo()
    .send({ messageId: `<${ref}@trastienda>`, from: env().CORREO_REMITENTE, ...carta, attachments });
  return { messageId };
}
