import type { MotivoDeFalta } from '~db/columns';
import { codeIn, parseCodigo, parseFolio } from './pieza';

export type { MotivoDeFalta } from '~db/columns';

/** Reasons why a piece is missing at the bench, in the order that people see. */
export const FALTA_LABEL: Readonly<Record<MotivoDeFalta, string>> = {
  noSeEncuentra: 'No se encuentra',
  noLlego: 'No ha llegado',
  danada: 'Llegó dañada',
  equivocada: 'Llegó otra cosa',
};
export const FALTAS = Object.keys(FALTA_LABEL) as [MotivoDeFalta, ...MotivoDeFalta[]];

/** Code of a piece that carries none: a person compared it with the picture. */
export const SIN_CODIGO = 'sinCodigo';

/** A line of a parcel, and what was read into the box. */
export type LineaDePaquete = {
  orden: string;
  posicion: number;
  nombre: string;
  cantidad: number;
  /** Key of the picture (`direccionOfFoto`); null without a copy of ours. */
  foto: string | null;
  /** Codes of bars of the product, as its supplier tells them. */
  gtins: string[];
  /** Pieces of our own stock that may fill the line, with the labels bound to them. */
  piezas: { folio: string; etiquetas: string[] }[];
  /** What was read into the box: a folio, a code of bars, or `SIN_CODIGO`. */
  lecturas: string[];
  /** Reason why the rest of the line is missing; null while nobody said so. */
  falta: MotivoDeFalta | null;
};

export const isFull = ({ cantidad, lecturas }: Pick<LineaDePaquete, 'cantidad' | 'lecturas'>): boolean =>
  lecturas.length >= cantidad;
export const isPacked = (lineas: readonly LineaDePaquete[]): boolean => lineas.length > 0 && lineas.every(isFull);

/** Tells whether no code could name the line: a person compares the piece with the picture. */
export const lacksCodigo = ({ gtins, piezas }: Pick<LineaDePaquete, 'gtins' | 'piezas'>): boolean =>
  gtins.every((gtin) => gtinIn(gtin) === undefined) && piezas.length === 0;

/** Returns a code of bars in its longest spelling, so that UPC, EAN and GTIN-14 of one product are equal; undefined for another text. */
export function gtinIn(texto: string): string | undefined {
  const digits = texto.replace(/[\s-]/g, '');
  return /^(\d{8}|\d{12,14})$/.test(digits) ? digits.padStart(14, '0') : undefined;
}

/** Result of a scan over an open parcel. `linea` takes the piece under `codigo`; `ya` and `mal` take nothing and say why. */
export type Lectura =
  | { clase: 'linea'; linea: LineaDePaquete; codigo: string }
  | { clase: 'ya'; dice: string }
  | { clase: 'mal'; dice: string };

/** Returns what a scanned text means for a parcel: the line that it fills, a piece too many, or a wrong piece. Phone and server ask the same. */
export function readLectura(lineas: readonly LineaDePaquete[], texto: string): Lectura {
  const leido = codeIn(texto);
  if (leido === SIN_CODIGO) return { clase: 'mal', dice: 'Escanea la pieza.' };
  const propia = parseFolio(leido) ?? parseCodigo(leido);
  if (propia) return readPropia(lineas, propia);
  const gtin = gtinIn(leido);
  const suyas = gtin === undefined ? [] : lineas.filter(({ gtins }) => gtins.some((one) => gtinIn(one) === gtin));
  const [una] = suyas;
  if (!una) return { clase: 'mal', dice: `Pieza equivocada: ${leido} no va en este paquete.` };
  const linea = suyas.find((one) => !isFull(one));
  return linea ? { clase: 'linea', linea, codigo: gtin! } : { clase: 'ya', dice: sobra(una) };
}

function readPropia(lineas: readonly LineaDePaquete[], codigo: string): Lectura {
  const suyas = lineas.flatMap((linea) =>
    linea.piezas
      .filter(({ folio, etiquetas }) => folio === codigo || etiquetas.includes(codigo))
      .map(({ folio }) => ({ linea, folio })),
  );
  const [una] = suyas;
  if (!una) return { clase: 'mal', dice: `Pieza equivocada: ${codigo} no va en este paquete.` };
  if (lineas.some(({ lecturas }) => lecturas.includes(una.folio)))
    return { clase: 'ya', dice: `${una.folio} ya está en este paquete.` };
  const libre = suyas.find(({ linea }) => !isFull(linea));
  return libre ? { clase: 'linea', linea: libre.linea, codigo: una.folio } : { clase: 'ya', dice: sobra(una.linea) };
}

const sobra = ({ cantidad, nombre }: LineaDePaquete) =>
  cantidad === 1 ? `Sobra: ya está la pieza de ${nombre}.` : `Sobra: ya están las ${cantidad} de ${nombre}.`;
