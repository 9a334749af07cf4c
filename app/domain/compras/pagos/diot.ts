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

/** The figures of a third party as they are declared: IVA, and acts at 0 %, exempt and outside IVA, are without what notes gave back. */
export type CifrasDiot = Cifras & {
  /** Acts that notes gave back, never more than those of the month beside them. `devuelto8Sur` is a part of `devuelto8`. */
  devuelto16: Money;
  devuelto8: Money;
  devuelto8Sur: Money;
};

/** What notes of a month give back of what had been paid to an issuer. */
export type Devuelta = Cifras & {
  rfc: string;
  proveedor: string;
  label: string;
  cuantas: number;
  ejemplos: Falta['ejemplos'];
};

/** Reasons as people read them, each with the next step. */
const MOTIVOS = {
  sinXml: { label: 'Factura sin su XML', remedio: 'Subir su XML' },
  porLeer: { label: 'XML que todavía no se lee', remedio: 'Se lee solo en unos minutos' },
  ilegible: { label: 'XML que no dice su IVA', remedio: 'Revisar su XML' },
  sinFactura: { label: 'Pago sin factura', remedio: 'Decir qué factura paga' },
  sinFecha: { label: 'Pago sin fecha', remedio: 'Escribir su fecha' },
  notaIlegible: { label: 'Nota de crédito que no dice su IVA', remedio: 'Revisar su XML' },
  notaDeMas: {
    label: 'Nota mayor que lo pagado en el mes',
    remedio: 'Su IVA se paga en la declaración del mes',
  },
} as const;
/** Reasons about what was given back, which is no amount paid. */
const DE_NOTA: ReadonlySet<string> = new Set(['notaIlegible', 'notaDeMas']);
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
  cifras: CifrasDiot | null;
  /** What was paid besides; zero where all is known, and null where that amount is not known. */
  sinSaber: Money | null;
};

export type Diot = {
  filas: FilaDiot[];
  faltas: (Falta & { porQue: string; remedio: string })[];
  /** Sums of what is known. */
  totales: CifrasDiot & { pagado: Money };
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
  'devuelto16',
  'devuelto8',
  'devuelto8Sur',
] as const satisfies (keyof CifrasDiot)[];

const min = (a: Money, b: Money) => (a.compare(b) < 0 ? a : b);

/**
 * Takes what notes gave back off what was paid, column by column and never below zero (LIVA 7 leaves the rest to the tax return), and returns it with the
 * amount that found nothing to be taken off.
 */
function sinDevuelto(pagadas: Cifras, devueltas: Cifras | undefined): { cifras: CifrasDiot; deMas: Money } {
  if (!devueltas)
    return {
      cifras: { ...pagadas, devuelto16: Money.zero, devuelto8: Money.zero, devuelto8Sur: Money.zero },
      deMas: Money.zero,
    };
  const quitado = (columna: keyof Cifras) => min(pagadas[columna], devueltas[columna]);
  const norte = (columna: 'base8' | 'iva8', suyas: Cifras) => suyas[columna].minus(suyas[`${columna}Sur`]);
  const delNorte = (columna: 'base8' | 'iva8') => min(norte(columna, pagadas), norte(columna, devueltas));
  const sin = (columna: keyof Cifras) => pagadas[columna].minus(quitado(columna));
  const iva8Sur = sin('iva8Sur');
  const [devuelto8Sur, devuelto8Norte] = [quitado('base8Sur'), delNorte('base8')];
  const devuelto8 = devuelto8Sur.plus(devuelto8Norte);
  const iva8 = norte('iva8', pagadas).minus(delNorte('iva8')).plus(iva8Sur);
  const todas = (suyas: Cifras) =>
    Money.sum([suyas.base16, suyas.iva16, suyas.base8, suyas.iva8, suyas.base0, suyas.exento, suyas.noObjeto]);
  const quitadas = Money.sum([
    quitado('base16'),
    quitado('iva16'),
    devuelto8,
    pagadas.iva8.minus(iva8),
    quitado('base0'),
    quitado('exento'),
    quitado('noObjeto'),
  ]);
  return {
    cifras: {
      ...pagadas,
      devuelto16: quitado('base16'),
      devuelto8,
      devuelto8Sur,
      iva16: sin('iva16'),
      iva8,
      iva8Sur,
      base0: sin('base0'),
      exento: sin('exento'),
      noObjeto: sin('noObjeto'),
      ivaRetenido: sin('ivaRetenido'),
    },
    deMas: todas(devueltas).minus(quitadas),
  };
}

const NADA: Cifras = {
  base16: Money.zero,
  iva16: Money.zero,
  base8: Money.zero,
  iva8: Money.zero,
  base8Sur: Money.zero,
  iva8Sur: Money.zero,
  base0: Money.zero,
  exento: Money.zero,
  noObjeto: Money.zero,
  ivaRetenido: Money.zero,
};

/** Puts what is known and what is not of a month beside each other, by third party. */
export function diotOf(
  pagadas: readonly (Cifras & Conocida)[],
  sinSaberlas: readonly Falta[],
  devueltas: readonly Devuelta[] = [],
): Diot {
  const filas = new Map<string, FilaDiot>();
  const notas = new Map(devueltas.map((devuelta) => [devuelta.rfc, devuelta]));
  const conocidas: CifrasDiot[] = [];
  const faltas = [...sinSaberlas];
  for (const { rfc, nombre, facturas, pagado, ...suyas } of pagadas) {
    const { cifras } = sinDevuelto(suyas, notas.get(rfc));
    conocidas.push(cifras);
    filas.set(rfc, { rfc, nombre, facturas, pagado, cifras, sinSaber: Money.zero });
  }
  for (const devuelta of devueltas) {
    const { rfc, proveedor, label, cuantas, ejemplos } = devuelta;
    const { deMas } = sinDevuelto(pagadas.find((una) => una.rfc === rfc) ?? NADA, devuelta);
    if (!deMas.isZero()) faltas.push({ motivo: 'notaDeMas', proveedor, label, rfc, cuantas, importe: deMas, ejemplos });
  }
  const dePagos = faltas.filter(({ motivo }) => !DE_NOTA.has(motivo));
  for (const { proveedor, label, rfc, importe } of dePagos) {
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
      pagado: Money.sum(pagadas.map(({ pagado }) => pagado)),
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
      devuelto16: total('devuelto16'),
      devuelto8: total('devuelto8'),
      devuelto8Sur: total('devuelto8Sur'),
    },
    sinSaber: dePagos.reduce<Money | null>((sum, { importe }) => sumOf(sum, importe), Money.zero),
    sinSaberAlMenos: Money.sum(dePagos.flatMap(({ importe }) => importe ?? [])),
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
  base8: [8, 9, 18],
  base8Sur: [10, 11, 20],
  base16: [12, 13, 22],
  retenido: 48,
  exento: 50,
  base0: 51,
  noObjeto: 52,
  efectos: 54,
} as const;

/** Returns whether a third party has a line in the file: its RFC is its own, and something of it is a peso or more. */
const isDeclarada = (fila: FilaDiot): fila is FilaDiot & { rfc: string; cifras: CifrasDiot } =>
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

function lineaOf(rfc: string, cifras: CifrasDiot, { vacios = false }: FormaDelTxt): string {
  const columnas = Array.from({ length: COLUMNAS }, (_, at): string => (at >= 7 ? '0' : ''));
  const put = (columna: number, texto: string) => (columnas[columna - 1] = texto);
  const trio = ([base, nota, iva]: readonly [number, number, number], acto: Money, devuelto: Money, pagado: Money) => {
    put(base, pesosEnteros(acto));
    put(nota, pesosEnteros(devuelto));
    put(iva, pesosEnteros(pagado));
  };
  put(1, NACIONAL);
  put(2, BIENES);
  put(3, rfc);
  trio(
    COLUMNA.base8,
    cifras.base8.minus(cifras.base8Sur),
    cifras.devuelto8.minus(cifras.devuelto8Sur),
    cifras.iva8.minus(cifras.iva8Sur),
  );
  trio(COLUMNA.base8Sur, cifras.base8Sur, cifras.devuelto8Sur, cifras.iva8Sur);
  trio(COLUMNA.base16, cifras.base16, cifras.devuelto16, cifras.iva16);
  put(COLUMNA.retenido, pesosEnteros(cifras.ivaRetenido));
  put(COLUMNA.exento, pesosEnteros(cifras.exento));
  put(COLUMNA.base0, pesosEnteros(cifras.base0));
  put(COLUMNA.noObjeto, pesosEnteros(cifras.noObjeto));
  put(COLUMNA.efectos, CON_EFECTOS_FISCALES);
  return columnas.map((texto) => (vacios && texto === '0' ? '' : texto)).join('|');
}
