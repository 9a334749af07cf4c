/** Number of recovery codes that are made at once; each opens one time. */
export const CODIGOS_DE_RECUPERACION = 10;

/**
 * Letters of a code that people copy by hand, 140 bits in all. A secret of at least 112 bits needs no slow hash (ASVS 6.5.2). Recovery
 * codes of 16 letters were made before, and still open.
 */
export const CODIGO_LARGO = 28;
export const CODIGO_LARGO_ANTES = 16;

/** Days for which a browser that is to be remembered is not asked for a code. */
export const CODIGO_RECORDADO_DIAS = 30;

/** Days of grace before a second factor is owed, from a person's first session after an upgrade. */
export const PLAZO_DIAS = 7;

/** State of a person's second factor. */
export type SegundoFactor = {
  confirmadoEn: Date | null;
  /** Number of recovery codes that were not used. */
  quedan: number;
  /** True when the role has to have a second factor. */
  obligado: boolean;
};

/** Returns a text in groups of four, as people read it aloud. */
export const inFours = (text: string) => text.replace(/(.{4})(?=.)/g, '$1 ');
