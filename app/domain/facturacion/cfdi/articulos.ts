import { parseImporte } from '~/core/importe';
import type { TypedAs } from '~/core/readTyped';
import { Money } from '~/core/money';
import type { Situacion } from '~db/columns';
import { unidadOf } from '~/domain/facturacion/sat/opciones';
import type { NewConcepto } from '~/integrations/facturacom/nouns';
import { MAX_CANTIDAD, splitLineas, TASA_IVA, TASAS_IVA, writtenAmounts } from './importes';

/** The SAT's key of a product that has none yet. */
export const CODIGO_SAT_GENERICO = '01010101';
/** The SAT's unit of a piece (c_ClaveUnidad). */
export const UNIDAD_PIEZA = 'H87';
/** The concept of the shipping that a buyer paid, with its keys of the SAT. */
export const ENVIO = { nombre: 'Servicio de Paqueteria Nacional', codigoSat: '78102205', claveUnidad: 'E48' } as const;
/** Limits of a row's price, and the message for a price outside them. */
export const PRECIO = {
  de: 'importe',
  noValido: 'El precio va de 0.01 a 9,999,999.99, con un máximo de 2 decimales.',
  min: '0.01',
  max: '9999999.99',
} as const satisfies TypedAs;
/** Limits of a row's quantity, and the message for one outside them. */
export const CANTIDAD = {
  de: 'entero',
  noValido: 'La cantidad es un entero de 1 a 100,000.',
  min: '1',
  max: String(MAX_CANTIDAD),
} as const satisfies TypedAs;

/** Most letters of a concept (Anexo 20). */
export const MAX_DESCRIPCION = 1000;
const MAX_IDENTIFICACION = 100;

/** An orden with what it sold, as far as its invoice needs it. */
export type OrdenVendida = {
  id: string;
  articulos: {
    nombre: string;
    cantidad: number;
    precioUnitario: Money;
    importe: Money;
    sku: string | null;
    tasaIva?: string;
  }[];
  envio: { id: string; cobrado: Money | null } | null;
  /** Σ of the approved `payment_addition` payments. */
  envioAdicional: Money;
  situacion?: Situacion;
  /** Payment of the orden net of what was given back. */
  pagadoAbs?: Money;
};

/**
 * One row of the editable table, plain JSON so that a draft can keep it. `precioUnitario` is the price people see and type (VAT included, cents).
 * `importe` is the real cost of the line: a marketplace may not sell in whole cents per piece.
 */
export type Articulo = {
  ordenId?: string;
  nombre: string;
  codigoSat: string;
  claveUnidad: string;
  cantidad: number;
  precioUnitario: string;
  importe: string;
  sku?: string;
  tasaIva: (typeof TASAS_IVA)[number];
};

/**
 * The rows of a sale: every articulo of its ordenes, then one shipping row per shipment that was charged. Of a sale that was given back in
 * part they come to what stayed paid.
 */
export function articulosOf(
  ordenes: readonly OrdenVendida[],
  codigoOf: (sku: string) => string | undefined = () => undefined,
): Articulo[] {
  const vendidos = ordenes.flatMap((orden) =>
    orden.articulos.map((articulo) => ({
      ordenId: orden.id,
      nombre: textoCfdi(articulo.nombre, MAX_DESCRIPCION) || 'Artículo',
      codigoSat: (articulo.sku && codigoOf(articulo.sku)) || CODIGO_SAT_GENERICO,
      claveUnidad: UNIDAD_PIEZA,
      cantidad: articulo.cantidad,
      precioUnitario: articulo.importe.dividedBy(articulo.cantidad).toFixed(2),
      importe: articulo.importe.toFixed(2),
      ...(articulo.sku && { sku: articulo.sku }),
      tasaIva: tasaOf(articulo.tasaIva),
    })),
  );
  return withoutDevuelto([...vendidos, ...enviosOf(ordenes)], ordenes);
}

/**
 * Takes what a marketplace gave back off the rows of the ordenes it gave back from. An amount that whole pieces of one row cost takes those
 * pieces. Any other lowers the prices in proportion, goods before shipping: the SAT takes the price that was really charged.
 */
function withoutDevuelto(rows: Articulo[], ordenes: readonly OrdenVendida[]): Articulo[] {
  const suyas = new Set(ordenes.flatMap(({ id, situacion }) => (situacion === 'devueltaEnParte' ? [id] : [])));
  if (suyas.size === 0) return rows;
  const pagado = Money.sum(ordenes.map(({ pagadoAbs }) => pagadoAbs ?? Money.zero));
  const devuelto = Money.sum(rows.map(({ importe }) => Money.of(importe))).minus(pagado);
  const isTheirs = ({ ordenId }: Articulo) => ordenId !== undefined && suyas.has(ordenId);
  const isEnvio = ({ codigoSat }: Articulo) => codigoSat === ENVIO.codigoSat;
  const [cosas, envios] = [
    rows.filter((row) => isTheirs(row) && !isEnvio(row)),
    rows.filter((row) => isTheirs(row) && isEnvio(row)),
  ];
  const deCosas = sumaOf(cosas);
  // What no refund of theirs explains is left for a person to see.
  if (devuelto.isZero() || devuelto.isNegative() || devuelto.compare(deCosas.plus(sumaOf(envios))) >= 0) return rows;
  const netas = new Map<Articulo, Articulo | null>();
  const entera = cosas.find((row) => piezasOf(row, devuelto) !== null);
  if (entera) netas.set(entera, lessPieces(entera, piezasOf(entera, devuelto)!));
  else {
    const parte = devuelto.compare(deCosas) > 0 ? deCosas : devuelto;
    lower(cosas, parte, netas);
    lower(envios, devuelto.minus(parte), netas);
  }
  return rows.flatMap((row) => {
    const neta = netas.has(row) ? netas.get(row) : row;
    return neta ? [neta] : [];
  });
}

const sumaOf = (rows: readonly Articulo[]) => Money.sum(rows.map(({ importe }) => Money.of(importe)));

/** The number of pieces of a row that an amount is the price of; null when it is not of whole ones, or of more than the row has. */
function piezasOf({ importe, cantidad }: Articulo, amount: Money): number | null {
  const [total, whole] = [amount.micros * BigInt(cantidad), Money.of(importe).micros];
  const piezas = whole > 0n && total % whole === 0n ? Number(total / whole) : 0;
  return piezas > 0 && piezas <= cantidad ? piezas : null;
}

function lessPieces(row: Articulo, piezas: number): Articulo | null {
  const cantidad = row.cantidad - piezas;
  if (cantidad === 0) return null;
  return { ...row, cantidad, importe: Money.of(row.importe).times(cantidad).dividedBy(row.cantidad).toFixed(2) };
}

/** Lowers the rows together by an amount, each in proportion; the dearest takes the cents of rounding. A row of which nothing is left goes. */
function lower(rows: readonly Articulo[], amount: Money, netas: Map<Articulo, Articulo | null>): void {
  if (amount.isZero()) return;
  const whole = sumaOf(rows);
  let rest = amount;
  const dearestLast = rows.toSorted((a, b) => Money.of(a.importe).compare(Money.of(b.importe)));
  for (const [at, row] of dearestLast.entries()) {
    const importe = Money.of(row.importe);
    const part =
      at === dearestLast.length - 1 ? rest : Money.ofMicros((amount.micros * importe.micros) / whole.micros).cents();
    rest = rest.minus(part);
    const neto = importe.minus(part);
    netas.set(
      row,
      neto.isZero() || neto.isNegative()
        ? null
        : { ...row, importe: neto.toFixed(2), precioUnitario: neto.dividedBy(row.cantidad).toFixed(2) },
    );
  }
}

/** One row per shipment: the price of the shipment, else the additional payments of its ordenes. */
function enviosOf(ordenes: readonly OrdenVendida[]): Articulo[] {
  const shipments = new Map<string, { ordenId: string; cobrado: Money; adicional: Money }>();
  for (const orden of ordenes) {
    const key = orden.envio ? `envio:${orden.envio.id}` : `orden:${orden.id}`;
    const known = shipments.get(key) ?? {
      ordenId: orden.id,
      cobrado: orden.envio?.cobrado ?? Money.zero,
      adicional: Money.zero,
    };
    shipments.set(key, { ...known, adicional: known.adicional.plus(orden.envioAdicional) });
  }
  return [...shipments.values()]
    .map(({ ordenId, cobrado, adicional }) => ({ ordenId, importe: cobrado.isZero() ? adicional : cobrado }))
    .filter(({ importe }) => !importe.isZero())
    .map(({ ordenId, importe }) => ({
      ordenId,
      ...ENVIO,
      cantidad: 1,
      precioUnitario: importe.toFixed(2),
      importe: importe.toFixed(2),
      tasaIva: TASA_IVA,
    }));
}

/** A new row of the table, with quantity one and the generic keys. */
export function articuloVacio(): Articulo {
  return {
    nombre: '',
    codigoSat: CODIGO_SAT_GENERICO,
    claveUnidad: UNIDAD_PIEZA,
    cantidad: 1,
    precioUnitario: '',
    importe: '',
    tasaIva: TASA_IVA,
  };
}

/** The cost of a row: the marketplace's amount while quantity and unit price still describe it, else their product. */
export function importeOf({
  cantidad,
  precioUnitario,
  importe,
}: {
  cantidad: number;
  precioUnitario: string;
  importe?: string;
}): string {
  const carried = parseImporte(importe ?? '');
  if (carried.clase === 'importe' && Money.of(carried.importe).dividedBy(cantidad).toFixed(2) === precioUnitario)
    return carried.importe;
  return Money.of(precioUnitario).times(cantidad).toFixed(2);
}

/** The concepts of a document with its sums. `repaired`: some concept was moved by fractions of a cent. */
export type Conceptos = { conceptos: NewConcepto[]; subTotal: string; iva: string; total: string; repaired: boolean };

/** The concepts of a request, from its rows. Throws CfdiAmountsError when no CFDI can hold these amounts. */
export function conceptosOfArticulos(articulos: readonly Articulo[]): Conceptos {
  const split = splitLineas(
    articulos.map(({ importe, cantidad, tasaIva }) => ({ importe: Money.of(importe), cantidad, tasaIva })),
  );
  const written = writtenAmounts(split);
  const conceptos = articulos.map((articulo, index) => {
    const { valorUnitario, importe, base, iva } = written.conceptos[index]!;
    const noIdentificacion = articulo.sku && textoCfdi(articulo.sku, MAX_IDENTIFICACION);
    return {
      claveProdServ: articulo.codigoSat,
      ...(noIdentificacion && { noIdentificacion }),
      cantidad: articulo.cantidad,
      claveUnidad: articulo.claveUnidad,
      unidad: unidadOf(articulo.claveUnidad),
      descripcion: textoCfdi(articulo.nombre, MAX_DESCRIPCION),
      valorUnitario,
      importe,
      base,
      tasaIva: articulo.tasaIva,
      iva,
    };
  });
  return {
    conceptos,
    subTotal: written.subTotal,
    iva: written.totalTraslados,
    total: written.total,
    repaired: split.repaired,
  };
}

/**
 * Text as a CFDI may hold it, at most `max` characters. The SAT's seal uses `|` as its separator, so a '-' takes its place; control characters, invisible marks
 * and halves of characters are left out, and whitespace is single.
 */
export function textoCfdi(text: string, max: number): string {
  const clean = text
    .normalize('NFC')
    .replaceAll('|', '-')
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cs}\u200B\u2060\uFEFF\uFFFE\uFFFF]/gu, '')
    .trim();
  return max === Infinity
    ? clean
    : clean
        .slice(0, max)
        .replace(/[\uD800-\uDBFF]$/, '')
        .trimEnd();
}

function tasaOf(tasa: string | undefined): Articulo['tasaIva'] {
  const text = tasa === undefined ? TASA_IVA : Money.of(tasa).toFixed(6);
  const known = TASAS_IVA.find((one) => one === text);
  if (!known) throw new RangeError(`no such VAT rate: ${tasa}`);
  return known;
}
