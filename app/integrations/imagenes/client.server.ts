import { Refused, Unavailable, Uncertain, UnexpectedShape } from '../errors';
import { exchange } from '../http.server';

const ESPERA_MS = 5_000;
const MAX_BYTES = 11 * 1024 * 1024;

/**
 * Fetches a picture of a supplier from its own address. The caller has checked that the address is a supplier's
 * (IMAGENES_DE). Throws `Refused` or `Unavailable`.
 */
export async function fetchImagen(url: string): Promise<Buffer> {
  try {
    const { status, body } = await exchange({
      side: { name: 'imagenes', root: new URL(url).origin },
      method: 'GET',
      url,
      timeoutMs: ESPERA_MS,
      maxBytes: MAX_BYTES,
    });
    if (status === 200) return body;
    throw new Refused(`la foto no está (${status})`, { status });
  } catch (error) {
    if (error instanceof UnexpectedShape) throw new Refused('la foto pesa demasiado', { cause: error });
    if (error instanceof Uncertain) throw new Unavailable(error.message, { cause: error });
    throw error;
  }
}
