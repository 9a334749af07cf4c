const LETRAS = 'TRWAGMYFPDXBNJZSQVHLCKE';

/** The letter that a number of so few digits ends with: one wrong digit, or two that changed places, end with another. */
const letraOf = (numero: number) => LETRAS[numero % LETRAS.length]!;

const DV = /^DV(\d{2})(\d{1,6})([A-Z])?$/;
const ET = /^ET(\d{1,7})([A-Z])?$/;

/** As it was heard or typed: in any case, with hyphens, spaces or neither. */
const limpio = (texto: string) => texto.toUpperCase().replace(/[\s\-–—_.]/g, '');

/** 'DV-26-004183-H': the year and the number of a piece. */
export function folioOf(anio: number, numero: number): string {
  const yy = anio % 100;
  return `DV-${String(yy).padStart(2, '0')}-${String(numero).padStart(6, '0')}-${letraOf(yy * 1_000_000 + numero)}`;
}

/** 'ET-0000012-K': what a label that was printed before its piece was known is called. */
export const codigoOf = (numero: number): string => `ET-${String(numero).padStart(7, '0')}-${letraOf(numero)}`;

/**
 * The folio that somebody means, in the one way it is written; undefined where there is none in it, or where its letter says that a digit was misheard. Without its
 * letter it is only taken from who typed all of its digits.
 */
export function parseFolio(texto: string): string | undefined {
  const [, yy, numero, letra] = DV.exec(limpio(texto)) ?? [];
  if (!yy || !numero || Number(numero) === 0 || (!letra && numero.length < 6)) return undefined;
  const folio = folioOf(Number(yy), Number(numero));
  return !letra || folio.endsWith(letra) ? folio : undefined;
}

/** The code of a pre-printed label, read in the same way. */
export function parseCodigo(texto: string): string | undefined {
  const [, numero, letra] = ET.exec(limpio(texto)) ?? [];
  if (!numero || Number(numero) === 0 || (!letra && numero.length < 7)) return undefined;
  const codigo = codigoOf(Number(numero));
  return !letra || codigo.endsWith(letra) ? codigo : undefined;
}
