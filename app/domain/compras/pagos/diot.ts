import { isGenericRfc } from '~/core/rfc';
import { Money } from '~/core/money';

/** The acts of a supplier that were paid in a month, by rate, with the IVA that was paid for them. */
export type Cifras = {
  base16: Money;
  iva16: Money;
  /** At the rate of the border. The southern part of it is `base8Sur` and `iva8Sur`. */
  base8: Money;
  iva8: Money;
  base8Sur: Money;
  iva8Sur: Money;
  base0: Money;
  exento: Money;
  noObjeto: Money;
  ivaRetenido: Money;
};

/** Reasons as people read them, each with the next step. */
const MOTIVOS = {
  sinXml: { label: 'Factura sin su XML', remedio: 'Subir su XML' },
  porLeer: { label: 'XML que todavía no se lee', remedio: 'Se lee solo en unos minutos' },
  ilegible: { label: 'XML que no dice su IVA', remedio: 'Revisar su XML' },
  sinFactura: { label: 'Pago sin factura', remedio: 'Decir qué factura paga' },
  sinFecha: { label: 'Pago sin fecha', remedio: 'Escribir su fecha' },
} as const;
/** Why the IVA of something paid is not known. */
type Motivo = keyof typeof MOTIVOS;

/** What was paid to a supplier without its IVA being known, by reason. */
export type Falta = {
  motivo: Motivo;
  proveedor: string;
  label: string;
  /** Null while the supplier has none. */
  rfc: string | null;
  cuantas: number;
  /** Null where the amount itself is not known. */
  importe: Money | null;
  /** The first few, by folio. `id` is of the payment or of the document; null where there is nothing to open. */
  ejemplos: { folio: string; id: string | null; dice: string | null }[];
};

/** A third party of a month. */
export type FilaDiot = {
  /** Null where no document and nobody told it. */
  rfc: string | null;
  nombre: string;
  facturas: number;
  /** What was paid of the invoices whose IVA is known; null where no invoice is. */
  pagado: Money | null;
  cifras: Cifras | null;
  /** What was paid besides; zero where all is known, and null where that amount is not known. */
  sinSaber: Money | null;
};

export type Diot = {
  filas: FilaDiot[];
  faltas: (Falta & { porQue: string; remedio: string })[];
  /** Sums of what is known. */
  totales: Cifras & { pagado: Money };
  /** What was paid and is in no figure; null where a part of it is unknown. */
  sinSaber: Money | null;
  /** The part of it whose amount is known. */
  sinSaberAlMenos: Money;
  /** Third parties whose IVA is known in part or whole. */
  conocidos: number;
  /** Lines of the text file. */
  lineas: number;
};

const CIFRAS = [
  'base16',
  'iva16',
  'base8',
  'iva8',
  'base8Sur',
  'iva8Sur',
  'base0',
  'exento',
  'noObjeto',
  'ivaRetenido',
] as const satisfies (keyof Cifras)[];

/** Puts what is known and what is not of a month beside each other, by third party. */
export function diotOf(conocidas: readonly (Cifras & Conocida)[], faltas: readonly Falta[]): Diot {
  const filas = new Map<string, FilaDiot>();
  for (const { rfc, nombre, facturas, pagado, ...cifras } of conocidas)
    filas.set(rfc, { rfc, nombre, facturas, pagado, cifras, sinSaber: Money.zero });
  for (const { proveedor, label, rfc, importe } of faltas) {
    const key = rfc ?? ` ${proveedor}`;
    const fila = filas.get(key) ?? {
      rfc,
      nombre: label,
      facturas: 0,
      pagado: null,
      cifras: null,
      sinSaber: Money.zero,
    };
    filas.set(key, { ...fila, sinSaber: sumOf(fila.sinSaber, importe) });
  }
  const total = (columna: (typeof CIFRAS)[number]) => Money.sum(conocidas.map((una) => una[columna]));
  const ordenadas = [...filas.values()].toSorted((a, b) => a.nombre.localeCompare(b.nombre, 'es'));
  return {
    filas: ordenadas,
    faltas: faltas.map((falta) => ({
      ...falta,
      porQue: MOTIVOS[falta.motivo].label,
      remedio: MOTIVOS[falta.motivo].remedio,
    })),
    totales: {
      pagado: Money.sum(conocidas.map(({ pagado }) => pagado)),
      base16: total('base16'),
      iva16: total('iva16'),
      base8: total('base8'),
      iva8: total('iva8'),
      base8Sur: total('base8Sur'),
      iva8Sur: total('iva8Sur'),
      base0: total('base0'),
      exento: total('exento'),
      noObjeto: total('noObjeto'),
      ivaRetenido: total('ivaRetenido'),
    },
    sinSaber: faltas.reduce<Money | null>((sum, { importe }) => sumOf(sum, importe), Money.zero),
    sinSaberAlMenos: Money.sum(faltas.flatMap(({ importe }) => importe ?? [])),
    conocidos: conocidas.length,
    lineas: lineasDelTxt(ordenadas).length,
  };
}

type Conocida = { rfc: string; nombre: string; facturas: number; pagado: Money };

const sumOf = (sum: Money | null, one: Money | null) => (sum === null || one === null ? null : sum.plus(one));

/** Returns whole pesos as a tax return takes them: up to 50 cents go down and from 51 on go up (CFF 20). */
export function pesosEnteros(amount: Money): string {
  const cents = amount.cents().micros / 10_000n;
  return String((cents + 49n) / 100n);
}

/** How the file is written where the SAT's own samples differ: nothing in place of zeros, and a mark of UTF-8 at its start. */
export type FormaDelTxt = { vacios?: boolean; marca?: boolean };

const COLUMNAS = 54;
const NACIONAL = '04';
/** Suppliers of this product sell goods. */
const BIENES = '02';
const CON_EFECTOS_FISCALES = '01';
/** Columns of the layout that a reseller fills, counted from 1. */
const COLUMNA = {
  base8: [8, 18],
  base8Sur: [10, 20],
  base16: [12, 22],
  retenido: 48,
  exento: 50,
  base0: 51,
  noObjeto: 52,
  efectos: 54,
} as const;

/** Returns whether a third party has a line in the file: its RFC is its own, and something of it is a peso or more. */
const isDeclarada = (fila: FilaDiot): fila is FilaDiot & { rfc: string; cifras: Cifras } =>
  fila.rfc !== null &&
  !isGenericRfc(fila.rfc) &&
  fila.cifras !== null &&
  CIFRAS.some((columna) => pesosEnteros(fila.cifras![columna]) !== '0');

/** Returns the lines of the SAT's text file, one for each third party whose figures are known. */
export const lineasDelTxt = (filas: readonly FilaDiot[], forma: FormaDelTxt = {}): string[] =>
  filas.filter(isDeclarada).map(({ rfc, cifras }) => lineaOf(rfc, cifras, forma));

/** Returns the bytes of the file: UTF-8, with CRLF between its lines. Null without a line. */
export function txtOf(filas: readonly FilaDiot[], forma: FormaDelTxt = {}): Buffer | null {
  const lineas = lineasDelTxt(filas, forma);
  return lineas.length === 0 ? null : Buffer.from(`${forma.marca ? '\uFEFF' : ''}${lineas.join('\r\n')}`, 'utf8');
}

function lineaOf(rfc: string, cifras: Cifras, { vacios = false }: FormaDelTxt): string {
  const columnas = Array.from({ length: COLUMNAS }, (_, at): string => (at >= 7 ? '0' : ''));
  const put = (columna: number, texto: string) => (columnas[columna - 1] = texto);
  const pair = ([base, iva]: readonly [number, number], acto: Money, pagado: Money) => {
    put(base, pesosEnteros(acto));
    put(iva, pesosEnteros(pagado));
  };
  put(1, NACIONAL);
  put(2, BIENES);
  put(3, rfc);
  pair(COLUMNA.base8, cifras.base8.minus(cifras.base8Sur), cifras.iva8.minus(cifras.iva8Sur));
  pair(COLUMNA.base8Sur, cifras.base8Sur, cifras.iva8Sur);
  pair(COLUMNA.base16, cifras.base16, cifras.iva16);
  put(COLUMNA.retenido, pesosEnteros(cifras.ivaRetenido));
  put(COLUMNA.exento, pesosEnteros(cifras.exento));
  put(COLUMNA.base0, pesosEnteros(cifras.base0));
  put(COLUMNA.noObjeto, pesosEnteros(cifras.noObjeto));
  put(COLUMNA.efectos, CON_EFECTOS_FISCALES);
  return columnas.map((texto) => (vacios && texto === '0' ? '' : texto)).join('|');
}
