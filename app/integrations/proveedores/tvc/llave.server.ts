import { z } from 'zod';

const Fin = z.object({ exp: z.number().positive() });

/** Returns the end of a key that is a JWT; null when it tells none. Nothing renews such a key, so people are warned before its end. */
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
