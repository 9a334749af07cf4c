import { createHmac, randomBytes } from 'node:crypto';

const PREFIJO = 'whsec_';

/** Returns a new secret, in the form of Standard Webhooks. */
export const newSecreto = (): string => PREFIJO + randomBytes(32).toString('base64');

/** Returns the headers of Standard Webhooks for a body. While one secret gives way to another both sign, since a receiver may know either. */
export function signBody(
  { id, en, body }: { id: string; en: Date; body: string },
  secretos: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(en.getTime() / 1000));
  const firmas = secretos.map((secreto) => {
    const key = Buffer.from(secreto.slice(PREFIJO.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': firmas.join(' ') };
}
