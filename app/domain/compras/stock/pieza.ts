import type { EstadoDeStock } from '~db/columns';

/** Text of a piece without a name. */
export const ERROR_DE_PRODUCTO = 'Error de producto';
/** Texts of an address whose piece does not exist. */
export const PIEZA_AUSENTE = {
  titulo: 'La pieza no existe',
  texto: 'El enlace nombra una pieza que no está aquí.',
} as const;
/** Text of a piece without a supplier. */
export const ERROR_PROVEEDOR = 'Error proveedor';

/** Returns the name of a piece: its product's, else the description written when it came. */
export const nombreOfPieza = (
  { productoNombre, descripcion }: { productoNombre: string | null; descripcion: string | null },
  nadie: string = ERROR_DE_PRODUCTO,
): string => productoNombre ?? descripcion ?? nadie;

export type { EstadoDeStock } from '~db/columns';

/** All states. People see them in the order of `stock_estado`, which they may change. */
export const ESTADOS = [
  'enRevision',
  'disponible',
  'reservado',
  'vendido',
  'enGarantia',
  'devueltoProveedor',
  'danado',
  'baja',
] as const satisfies readonly EstadoDeStock[];

/** Texts of the states. */
export const ESTADO_LABEL: Readonly<Record<EstadoDeStock, string>> = {
  enRevision: 'En revisión',
  disponible: 'Disponible',
  reservado: 'Reservado',
  vendido: 'Vendido',
  enGarantia: 'En garantía',
  devueltoProveedor: 'Devuelto al proveedor',
  danado: 'Dañado',
  baja: 'Baja',
};

/** State of a new return. */
export const ESTADO_INICIAL: EstadoDeStock = 'enRevision';

/** Tones in which the states are shown. */
export const ESTADO_TONO: Readonly<Record<EstadoDeStock, 'ok' | 'aviso' | 'mal' | 'neutro'>> = {
  enRevision: 'aviso',
  disponible: 'ok',
  reservado: 'neutro',
  vendido: 'neutro',
  enGarantia: 'neutro',
  devueltoProveedor: 'neutro',
  danado: 'mal',
  baja: 'mal',
};

/** States that may follow each state. The database has the same steps (`stock_paso`) and refuses any other. */
export const PASOS: Readonly<Record<EstadoDeStock, readonly EstadoDeStock[]>> = {
  enRevision: ['disponible', 'enGarantia', 'devueltoProveedor', 'danado', 'baja'],
  disponible: ['enRevision', 'reservado', 'vendido', 'enGarantia', 'devueltoProveedor', 'danado', 'baja'],
  reservado: ['enRevision', 'disponible', 'vendido', 'danado'],
  vendido: ['enRevision'],
  enGarantia: ['enRevision', 'disponible', 'devueltoProveedor', 'danado', 'baja'],
  devueltoProveedor: ['enRevision', 'baja'],
  danado: ['enRevision', 'enGarantia', 'devueltoProveedor', 'baja'],
  baja: [],
};

/** Tells whether a piece may go from one state to another. */
export const mayPass = (de: EstadoDeStock, a: EstadoDeStock): boolean => PASOS[de].includes(a);

/** Tells whether no state follows. A piece goes there only after a question. */
export const isFinal = (a: EstadoDeStock): boolean => PASOS[a].length === 0;
/** Warning of that question. */
export const DE_AHI_NO_SALE = 'De ahí no pasa a otro estatus. Se puede deshacer durante diez minutos.';

/** Time in ms in which a movement can be undone. */
export const DESHACER_MS = 10 * 60_000;

/** Tells whether a piece in this state is kept for a sale, or left with it. */
export const isOfVenta = (estado: EstadoDeStock): boolean => estado === 'reservado' || estado === 'vendido';

const LETRAS = 'TRWAGMYFPDXBNJZSQVHLCKE';

/** Check letter of a number. One wrong digit, or two swapped ones, give another letter. */
const letraOf = (numero: number) => LETRAS[numero % LETRAS.length]!;

const DV = /^DV(\d{2})(\d{1,6})([A-Z])?$/;
const ET = /^ET(\d{1,7})([A-Z])?$/;

/**
 * The code at the end of a label's address, which the QR holds. A scanner types as a keyboard does: under the Latin American layout `/` arrives as `-`, `-` as
 * `'` and `:` as `Ñ`.
 */
const EN_ETIQUETA = /[/-]siqr[/-]([^/?#]+)/i;

/** A folio as it was heard, typed or scanned, without hyphens and spaces, in capitals. */
const limpio = (texto: string) => (EN_ETIQUETA.exec(texto)?.[1] ?? texto).toUpperCase().replace(/[\s\-–—_.'´’]/g, '');

/** Returns the folio of a piece from its year and number: 'DV-26-004183-H'. */
export function folioOf(anio: number, numero: number): string {
  const yy = anio % 100;
  return `DV-${String(yy).padStart(2, '0')}-${String(numero).padStart(6, '0')}-${letraOf(yy * 1_000_000 + numero)}`;
}

/** Returns the code of a blank label from its number: 'ET-0000012-K'. */
export const codigoOf = (numero: number): string => `ET-${String(numero).padStart(7, '0')}-${letraOf(numero)}`;

/**
 * Returns the folio that a text means, in its one spelling. Undefined when there is none, or when the check letter shows a wrong digit. A folio
 * without its letter needs all of its digits.
 */
export function parseFolio(texto: string): string | undefined {
  const [, yy, numero, letra] = DV.exec(limpio(texto)) ?? [];
  if (!yy || !numero || Number(numero) === 0 || (!letra && numero.length < 6)) return undefined;
  const folio = folioOf(Number(yy), Number(numero));
  return !letra || folio.endsWith(letra) ? folio : undefined;
}

/** Returns the code of a blank label that a text means, read by the same rules. */
export function parseCodigo(texto: string): string | undefined {
  const [, numero, letra] = ET.exec(limpio(texto)) ?? [];
  if (!numero || Number(numero) === 0 || (!letra && numero.length < 7)) return undefined;
  const codigo = codigoOf(Number(numero));
  return !letra || codigo.endsWith(letra) ? codigo : undefined;
}

/** Returns the folio or the label's code that a scanned or typed text names; another text is returned trimmed, each of its letters as typed. */
export const codeIn = (texto: string): string => parseFolio(texto) ?? parseCodigo(texto) ?? texto.trim();

/** The key of the act that prints the QR labels of many pieces. */
export const CODIGOS_QR = 'codigosQr';

/** Papers for labels: a roll of 50 × 30 mm, a continuous one of 62 mm, or sheets of 24. */
export const PAPELES = ['rollo50', 'rollo62', 'carta', 'a4'] as const;
export type Papel = (typeof PAPELES)[number];
/** Texts of the papers. */
export const PAPEL_LABEL: Readonly<Record<Papel, string>> = {
  rollo50: 'Etiqueta de 50 × 30 mm',
  rollo62: 'Rollo continuo de 62 mm',
  carta: 'Hoja carta, 24 etiquetas',
  a4: 'Hoja A4, 24 etiquetas',
};

/** Largest invoice of a piece, in MB. */
export const MAX_FACTURA_MB = 20;

/** Photographs of one piece. */
export const MAX_FOTOS = 6;
/** Largest photograph, in KB. A phone makes them smaller before it sends them. */
export const MAX_FOTO_KB = 2_048;
