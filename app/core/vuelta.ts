/** Longer than any address that a screen of ours writes; what is longer is not come back to, or an answer's headers would have no end. */
export const MAX_VUELTA = 500;

/** The address of a page that leads back to another once it is done with. */
export function conVuelta(to: string, volver: string | null | undefined): string {
  return volver && volver.length <= MAX_VUELTA ? `${to}?volver=${encodeURIComponent(volver)}` : to;
}
