import type { EstadoDeStock } from '~db/columns';

/** What lists show of a piece that nobody knows by name, and of one without a supplier. */
export const ERROR_DE_PRODUCTO = 'Error de producto';
export const ERROR_PROVEEDOR = 'Error proveedor';

/** Its product's name, else what was said of it when it came. */
export const nombreOfPieza = (
  { productoNombre, descripcion }: { productoNombre: string | null; descripcion: string | null },
  nadie: string = ERROR_DE_PRODUCTO,
): string => productoNombre ?? descripcion ?? nadie;

export type { EstadoDeStock } from '~db/columns';

/** As they were first ordered; people see them in the order of `stock_estado`. */
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

/** What a new return is. */
export const ESTADO_INICIAL: EstadoDeStock = 'enRevision';

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

/** Where each may go next. The database has the same steps (`stock_paso`) and refuses any other. */
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

export const mayPass = (de: EstadoDeStock, a: EstadoDeStock): boolean => PASOS[de].includes(a);

/** What goes there does not come back: it is asked about first. */
export const isFinal = (a: EstadoDeStock): boolean => PASOS[a].length === 0;
export const DE_AHI_NO_SALE = 'De ahí no pasa a otro estatus. Se puede deshacer durante diez minutos.';

/** How long what somebody did a moment ago can be taken back. */
export const DESHACER_MS = 10 * 60_000;

/** What is kept for a sale, or left with it. */
export const isOfVenta = (estado: EstadoDeStock): boolean => estado === 'reservado' || estado === 'vendido';

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

/** The key of the act that prints the QR labels of many pieces. */
export const CODIGOS_QR = 'codigosQr';

/** What labels are printed on: a roll of 50 × 30 mm, a continuous one of 62 mm, or sheets of 24. */
export const PAPELES = ['rollo50', 'rollo62', 'carta', 'a4'] as const;
export type Papel = (typeof PAPELES)[number];
export const PAPEL_LABEL: Readonly<Record<Papel, string>> = {
  rollo50: 'Etiqueta de 50 × 30 mm',
  rollo62: 'Rollo continuo de 62 mm',
  carta: 'Hoja carta, 24 etiquetas',
  a4: 'Hoja A4, 24 etiquetas',
};

/** What the invoice of a piece may weigh. */
export const MAX_FACTURA_MB = 20;

/** Photographs of one piece. A phone makes them small before it sends them. */
export const MAX_FOTOS = 6;
export const MAX_FOTO_KB = 2_048;
