import { parseImporte } from '~/core/importe';
import type { Lectura } from '~/core/readTyped';
import { Money } from '~/core/money';
import { unidadOf } from '~/domain/facturacion/sat/opciones';
import type { NewConcepto } from '~/integrations/facturacom/nouns';
import { MAX_CANTIDAD, splitLineas, TASA_IVA, TASAS_IVA, writtenAmounts } from './importes';

/** From what was sold to the lines of an invoice: the rows that staff may edit, and the concepts they become. */
export const CODIGO_SAT_GENERICO = '01010101';
export const UNIDAD_PIEZA = 'H87';
export const ENVIO = { nombre: 'Servicio de Paqueteria Nacional', codigoSat: '78102205', claveUnidad: 'E48' } as const;
/** What a row may cost and hold, and what is said otherwise. */
export const PRECIO = {
  de: 'importe',
  noValido: 'El precio va de 0.01 a 9,999,999.99, con un máximo de 2 decimales.',
  min: '0.01',
  max: '9999999.99',
} as const satisfies Lectura;
export const CANTIDAD = {
  de: 'entero',
  noValido: 'La cantidad es un entero de 1 a 100,000.',
  min: '1',
  max: String(MAX_CANTIDAD),
} as const satisfies Lectura;

export const MAX_DESCRIPCION = 1000;
const MAX_IDENTIFICACION = 100;

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
};

/**
 * One row of the editable table, plain JSON so that a draft can keep it. `precioUnitario` is what people see and type (VAT
 * included, cents); `importe` is what the line really costs, which a marketplace may not have sold in whole cents per piece.
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

/** The lines of a number: every articulo of its ordenes, then one shipping line per shipment that was charged. */
export function articulosOf(
  ordenes: readonly OrdenVendida[],
  codigoDe: (sku: string) => string | undefined = () => undefined,
): Articulo[] {
  const vendidos = ordenes.flatMap((orden) =>
    orden.articulos.map((articulo) => ({
      ordenId: orden.id,
      nombre: textoCfdi(articulo.nombre, MAX_DESCRIPCION) || 'Artículo',
      codigoSat: (articulo.sku && codigoDe(articulo.sku)) || CODIGO_SAT_GENERICO,
      claveUnidad: UNIDAD_PIEZA,
      cantidad: articulo.cantidad,
      precioUnitario: articulo.importe.dividedBy(articulo.cantidad).toFixed(2),
      importe: articulo.importe.toFixed(2),
      ...(articulo.sku && { sku: articulo.sku }),
      tasaIva: tasaOf(articulo.tasaIva),
    })),
  );
  return [...vendidos, ...enviosOf(ordenes)];
}

/** Counted once per shipment: what the shipment charged, else what was paid for it on top by its ordenes. */
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

/** What the line costs: the marketplace's amount while quantity and unit price still describe it, else their product. */
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

export type Conceptos = { conceptos: NewConcepto[]; subTotal: string; iva: string; total: string; repaired: boolean };

/** The concepts of the request and the document's sums; throws CfdiAmountsError when no CFDI can carry them. */
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
 * Text as a CFDI may carry it: `|` is the separator of what the SAT seals, so it becomes '-'; control characters, invisible
 * marks and halves of characters go, whitespace is single.
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
