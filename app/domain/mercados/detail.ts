import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';

/**
 * Asks for a detail. A detail that the marketplace does not tell now is null, and `sinLeer` says why. A link that no longer works is thrown, since it
 * concerns everything.
 */
export async function detail<T>(ask: () => Promise<T>, what: string, sinLeer: string[]): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Unavailable && error.details.account) throw error;
    if (
      error instanceof Unavailable ||
      error instanceof Refused ||
      error instanceof Uncertain ||
      error instanceof UnexpectedShape
    ) {
      sinLeer.push(`${what}: ${error.message}`);
      return null;
    }
    throw error;
  }
}
