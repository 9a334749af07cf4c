import { z } from 'zod';

const Fin = z.object({ exp: z.number().positive() });

/** When a key that is a JWT ends; null where it does not say. Nothing renews it, so its end is told beforehand. */
export function expiryOfLlave(token: string): Date | null {
  const [, payload = ''] = token.split('.');
  try {
    const { exp } = Fin.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
    return new Date(exp * 1000);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}
