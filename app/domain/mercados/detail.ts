import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';

/** Null when the marketplace did not tell, which is said in `sinLeer`; a link that no longer works concerns everything and is thrown. */
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
