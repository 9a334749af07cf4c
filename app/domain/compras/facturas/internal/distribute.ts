import { groupBy } from '~/core/groupBy';
import { Money } from '~/core/money';
import type { Motivo } from '../motivo';

/** A line of a supplier's document. `bruto` is what the line costs: its amount less its discount, with the taxes added and those withheld taken off. */
export type Linea = { clave: string; descripcion: string; cantidad: string; bruto: string };

/** A sale that a document may be about, with every number it is known by. */
export type Candidata = {
  id: string;
  numOrden: string;
  marketId: string;
  titulo: string;
  referencias: string[];
  fecha: string;
  pagado: string;
  conFactura: boolean;
  /** Whether the supplier named this very document for a pedido of the sale. */
  delPedido?: boolean;
  articulos: { modelo: string | null; cantidad: number }[];
};

export type FilaPropuesta = {
  ordenId: string;
  /** Number of the sale. Inside a cart of which several sales are here, the sale's own number. */
  numero: string;
  titulo: string;
  monto: string;
  motivos: Motivo[];
  conFactura: boolean;
  /** Whether the amount is more than the customer paid. */
  excede: boolean;
};
export type Propuesta = { filas: FilaPropuesta[]; sinOrden: { descripcion: string; monto: string }[] };

/** Words of freight. A line of freight follows the other lines of its document. */
const FLETE = /\b(flete|env[ií]o|gu[ií]a|paqueter[ií]a|maniobras?|seguro)\b/i;

/** Longest word, most words and longest text that are compared. Numbers of sales, guides and models are shorter. */
const MAX_PALABRA = 60;
const MAX_PALABRAS = 300;
const MAX_TEXTO = 4_000;

/** Returns the words of a text that may be numbers of a sale or shipment, Amazon's with dashes included. */
export function referenciasEn(text: string): string[] {
  const read = text.slice(0, MAX_TEXTO).toUpperCase();
  const words = (read.match(/[A-Z0-9]+/g) ?? []).filter((word) => word.length <= MAX_PALABRA && /\d{8}/.test(word));
  return [...new Set([...words, ...(read.match(/\d{3}-\d{7}-\d{7}/g) ?? [])])].slice(0, MAX_PALABRAS);
}

/** A model without case, spaces and dashes, as models are compared. */
const normalizeModelo = (modelo: string) => modelo.toUpperCase().replace(/[\s\-_./]/g, '');

/** Returns the words of a line that may be a model: its own code first, then words of the description with a digit. */
export function modelosEn({ clave, descripcion }: Pick<Linea, 'clave' | 'descripcion'>): string[] {
  const words = descripcion
    .slice(0, MAX_TEXTO)
    .split(/[\s,;:()]+/)
    .filter((word) => word.length >= 4 && word.length <= MAX_PALABRA && /\d/.test(word) && /[a-z]/i.test(word));
  const all = [clave.slice(0, 100), ...words].filter((text) => text.trim().length >= 2);
  return [...new Set(all)].slice(0, MAX_PALABRAS);
}

type Parte = { orden: Candidata | null; linea: Linea; peso: Money; motivo: Motivo };

/**
 * Divides a document's total over the sales it names. A line belongs to the sale whose number it names, else to the oldest sale with its model and
 * quantity. Freight follows the other lines. A line that names nothing belongs to the only named sale, if there is just one. Amounts are exact:
 * assigned and unassigned parts add up to the total.
 */
export function distribute(total: Money, lineas: readonly Linea[], todas: readonly Candidata[]): Propuesta {
  // The supplier's own word outranks the content of the lines.
  const dichas = todas.filter(({ delPedido }) => delPedido);
  const candidatas = dichas.length > 0 ? dichas : todas;
  const known = groupBy(
    candidatas.flatMap((orden) => orden.referencias.map((referencia) => ({ orden, numero: referencia.toUpperCase() }))),
    ({ numero }) => numero,
  );
  const byReference = lineas.map((linea) => {
    const named = referenciasEn(`${linea.clave} ${linea.descripcion}`).flatMap((numero) => known.get(numero) ?? []);
    const ordenes = new Set(named.map(({ orden }) => orden));
    return ordenes.size === 0 ? [] : candidatas.filter((orden) => ordenes.has(orden));
  });
  const named = new Set([...dichas, ...byReference.flat()]);
  const left = new Map(
    candidatas.map((orden) => [
      orden,
      orden.articulos.map(({ modelo, cantidad }) => ({
        modelo: modelo === null ? '' : normalizeModelo(modelo),
        cantidad,
      })),
    ]),
  );

  const partes: Parte[] = [];
  const flete: Linea[] = [];
  const loose: Linea[] = [];
  lineas.forEach((linea, at) => {
    const referred = byReference[at]!;
    if (referred.length > 0) {
      const shared = referred.length > 1 ? byModelo(linea, referred, left, named) : [];
      if (shared.length > 0 && shared.every(({ orden }) => orden !== null))
        partes.push(...shared.map((parte) => ({ ...parte, motivo: 'referencia' as const })));
      else
        for (const orden of referred) {
          take(left, orden, linea);
          partes.push({ orden, linea, peso: Money.of(linea.bruto).dividedBy(referred.length), motivo: 'referencia' });
        }
    } else {
      const found = byModelo(linea, candidatas, left, named);
      partes.push(...found);
      if (found.length === 0) (FLETE.test(linea.descripcion) ? flete : loose).push(linea);
    }
  });

  const deLineas = [...new Set(partes.flatMap(({ orden }) => orden ?? []))];
  const ordenes = deLineas.length === 0 && dichas.length === 1 ? dichas : deLineas;
  const only = ordenes.length === 1 && named.has(ordenes[0]!) ? ordenes[0]! : null;
  for (const linea of loose) partes.push({ orden: only, linea, peso: Money.of(linea.bruto), motivo: 'documento' });
  for (const linea of flete) {
    for (const orden of ordenes)
      partes.push({ orden, linea, peso: Money.of(linea.bruto).dividedBy(ordenes.length), motivo: 'documento' });
    if (ordenes.length === 0) partes.push({ orden: null, linea, peso: Money.of(linea.bruto), motivo: 'documento' });
  }
  return inCents(total, partes);
}

/**
 * Gives a line to the sales that wait for its model. A sale with exactly the line's quantity takes it whole; otherwise the oldest sales take their
 * pieces until none is left.
 */
function byModelo(
  linea: Linea,
  candidatas: readonly Candidata[],
  left: Map<Candidata, { modelo: string; cantidad: number }[]>,
  named: ReadonlySet<Candidata>,
): Parte[] {
  const modelos = new Set(modelosEn(linea).map(normalizeModelo));
  const wanted = Number(linea.cantidad);
  const waiting = candidatas.flatMap((orden) => {
    const cantidad = left
      .get(orden)!
      .filter(({ modelo }) => modelo !== '' && modelos.has(modelo))
      .reduce((sum, articulo) => sum + articulo.cantidad, 0);
    return cantidad > 0 ? [{ orden, cantidad }] : [];
  });
  if (waiting.length === 0 || !(wanted > 0)) return [];
  const unitario = Number(linea.bruto) / wanted;
  const rank = ({ orden, cantidad }: { orden: Candidata; cantidad: number }) =>
    [
      orden.conFactura ? 1 : 0,
      named.has(orden) ? 0 : 1,
      cantidad === wanted ? 0 : 1,
      unitario * cantidad > Number(orden.pagado) ? 1 : 0,
    ] as const;
  waiting.sort((a, b) => {
    const [one, other] = [rank(a), rank(b)];
    const at = one.findIndex((value, index) => value !== other[index]);
    return at >= 0 ? one[at]! - other[at]! : a.orden.fecha.localeCompare(b.orden.fecha);
  });

  const partes: Parte[] = [];
  let rest = wanted;
  for (const { orden, cantidad } of waiting) {
    const taken = Math.min(cantidad, rest);
    if (taken <= 0) break;
    take(left, orden, { ...linea, cantidad: String(taken) });
    partes.push({ orden, linea, peso: shareOf(linea, taken, wanted), motivo: 'modelo' });
    rest -= taken;
  }
  if (rest > 0) partes.push({ orden: null, linea, peso: shareOf(linea, rest, wanted), motivo: 'modelo' });
  return partes;
}

/** Part of a line by pieces. Quantities may have decimals, so the share is worked out in thousandths of a piece. */
const shareOf = (linea: Linea, part: number, whole: number) =>
  Money.of(linea.bruto)
    .times(BigInt(Math.round(part * 1_000)))
    .dividedBy(BigInt(Math.max(1, Math.round(whole * 1_000))));

function take(left: Map<Candidata, { modelo: string; cantidad: number }[]>, orden: Candidata, linea: Linea) {
  const modelos = new Set(modelosEn(linea).map(normalizeModelo));
  let rest = Number(linea.cantidad) || 0;
  for (const articulo of left.get(orden)!) {
    if (!modelos.has(articulo.modelo)) continue;
    const taken = Math.min(articulo.cantidad, rest);
    articulo.cantidad -= taken;
    rest -= taken;
  }
}

/** Turns weights into amounts of the total, in cents. Rounding happens on running sums, so that an error of a cent stays inside its line. */
function inCents(total: Money, partes: Parte[]): Propuesta {
  const weight = Money.sum(partes.map(({ peso }) => peso));
  if (weight.isZero() || partes.length === 0)
    return { filas: [], sinOrden: partes.map(({ linea }) => ({ descripcion: linea.descripcion, monto: '0.00' })) };
  let [weighed, given] = [0n, Money.zero];
  const montos = partes.map(({ peso }) => {
    weighed += peso.micros;
    const upTo = Money.ofMicros((total.micros * weighed) / weight.micros).cents();
    const monto = upTo.minus(given);
    given = upTo;
    return monto;
  });
  const filas = new Map<Candidata, { monto: Money; motivos: Set<Motivo> }>();
  const sinOrden = new Map<string, Money>();
  partes.forEach(({ orden, linea, motivo }, at) => {
    if (!orden)
      return void sinOrden.set(linea.descripcion, (sinOrden.get(linea.descripcion) ?? Money.zero).plus(montos[at]!));
    const fila = filas.get(orden) ?? { monto: Money.zero, motivos: new Set<Motivo>() };
    filas.set(orden, { monto: fila.monto.plus(montos[at]!), motivos: fila.motivos.add(motivo) });
  });
  const ordenes = [...filas.keys()];
  const numeroOf = (orden: Candidata) =>
    ordenes.filter(({ numOrden }) => numOrden === orden.numOrden).length > 1 ? orden.marketId : orden.numOrden;
  return {
    filas: [...filas].map(([orden, { monto, motivos }]) => ({
      ordenId: orden.id,
      numero: numeroOf(orden),
      titulo: orden.titulo,
      monto: monto.toFixed(2),
      motivos: [...motivos],
      conFactura: orden.conFactura,
      excede: monto.compare(Money.of(orden.pagado)) > 0,
    })),
    sinOrden: [...sinOrden].map(([descripcion, monto]) => ({ descripcion, monto: monto.toFixed(2) })),
  };
}
