/** Recovery codes made at once; each opens one time. */
export const CODIGOS_DE_RECUPERACION = 10;

/** Days for which a browser that is to be remembered is not asked for a code. */
export const CODIGO_RECORDADO_DIAS = 30;

/** How a person's second factor stands. */
export type SegundoFactor = {
  confirmadoEn: Date | null;
  /** Recovery codes that were not used. */
  quedan: number;
  /** Whether the role has to have one. */
  obligado: boolean;
};

/** In fours, as people read it aloud. */
export const enCuartetos = (text: string) => text.replace(/(.{4})(?=.)/g, '$1 ');
