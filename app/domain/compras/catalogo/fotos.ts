/** The least and the most side of a picture in px, and its largest weight, that every marketplace takes. The marketplaces make smaller copies themselves. */
export const LADO_MINIMO = 500;
export const LADO_MAXIMO = 10_000;
export const MAX_FOTO_MB = 10;
/** Own pictures of one product. */
export const MAX_FOTOS = 12;
/** Files that a browser offers to choose from (`accept`). */
export const FOTOS_ACEPTA = '.jpg,.jpeg,.png,image/jpeg,image/png';

/** A picture of a product. `url` names it: the supplier's address, or our own for a picture that somebody uploaded. */
export type Foto = {
  id: string;
  url: string;
  propia: boolean;
  /** The address of our copy; null without a copy. */
  copia: string | null;
  archivoId: string | null;
  ancho: number | null;
  alto: number | null;
  /** Why it cannot be used, or why there is no copy of it. */
  problema: string | null;
  /**
   * `lista`: we have a copy. `pendiente`: the worker has not looked yet. `ajena`: it cannot be reached from here, and the marketplace may fetch it.
   * `mala`: it cannot be used.
   */
  estado: 'lista' | 'pendiente' | 'ajena' | 'mala';
};

/** Returns the address under which anybody may see a picture. */
export const direccionOfFoto = (llave: string) => `/fotos/${llave}`;

const OTROS = new Map([
  ['image/webp', 'Es WebP'],
  ['image/gif', 'Es GIF'],
]);

/** Returns why no marketplace takes a picture, in words; null for a picture that serves. Without sizes the bytes are no picture. */
export function problemaOfFoto(
  medidas: { tipo: string; ancho: number; alto: number } | null,
  bytes: number,
): string | null {
  if (!medidas) return 'No es una foto, aunque se llame como una.';
  const otro = OTROS.get(medidas.tipo);
  if (otro) return `${otro}: los mercados piden JPG o PNG.`;
  if (bytes > MAX_FOTO_MB * 1_048_576) return `Pesa más de ${MAX_FOTO_MB} MB.`;
  const { ancho, alto } = medidas;
  if (Math.max(ancho, alto) < LADO_MINIMO) return `Mide ${ancho} × ${alto} px: un lado necesita ${LADO_MINIMO}.`;
  return Math.max(ancho, alto) > LADO_MAXIMO ? `Mide ${ancho} × ${alto} px: el máximo es ${LADO_MAXIMO}.` : null;
}
