/**
 * Longest address to come back to, in characters. No screen writes a longer address, and headers of an answer must stay
 * short.
 */
export const MAX_VUELTA = 500;

/** Returns the address of a page that leads back to `volver` when done; a `volver` that is too long is left out. */
export function withVuelta(to: string, volver: string | null | undefined): string {
  return volver && volver.length <= MAX_VUELTA ? `${to}?volver=${encodeURIComponent(volver)}` : to;
}
