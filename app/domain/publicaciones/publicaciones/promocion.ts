import type { Question } from '~/core/fieldRules';
import { hechosOf } from '~/core/hechos';
import { enPesos } from '~/core/importe';
import { Money } from '~/core/money';
import type { EstadoDePromocion } from '~db/columns';

/** Promotions of a listing: the price at which one counts for us, and their words. */

type Tono = 'ok' | 'aviso' | 'mal' | 'neutro';

const ESTADOS: Readonly<Record<EstadoDePromocion, { label: string; tono: Tono }>> = {
  candidata: { label: 'Invitación', tono: 'neutro' },
  programada: { label: 'Por empezar', tono: 'aviso' },
  activa: { label: 'Activa', tono: 'ok' },
};

/** Returns how far a promotion is; a word that nobody knows is shown as it came. */
export const estadoOfPromocion = (estado: EstadoDePromocion | null, palabra: string): { label: string; tono: Tono } =>
  estado === null ? { label: palabra, tono: 'neutro' } : ESTADOS[estado];

/** Tells whether a promotion runs or is about to. */
export const seAplica = (estado: EstadoDePromocion | null): boolean => estado === 'programada' || estado === 'activa';

type Descuento = { precio: Money; original: Money | null; pone: Money | null; ponemos: Money | null };

/** Percents may be told with decimals cut off. */
const CERCA = Money.of('1');
const isNear = (uno: Money, otro: Money) => {
  const falta = uno.minus(otro);
  return (falta.isNegative() ? otro.minus(uno) : falta).compare(CERCA) <= 0;
};
const CIEN = Money.of('100');

/**
 * Returns the price by which a promotion leaves us our income: that of the buyer, and the part of the discount that the marketplace pays. The two parts are percents
 * of the price before, or of the discount where they add up to a hundred. Parts that add up to neither are taken for percents of the price, which leaves
 * less, and `estima` says so.
 */
export function ingresoOf({ precio, original, pone, ponemos }: Descuento): { ingreso: Money; estima: string[] } {
  if (original === null || original.compare(precio) <= 0) return { ingreso: precio, estima: [] };
  if (ponemos === null) return { ingreso: precio, estima: pone === null || pone.isZero() ? [] : [SIN_PARTE] };
  const descuento = original.minus(precio);
  const suma = ponemos.plus(pone ?? Money.zero);
  if (pone !== null && isNear(suma, CIEN)) return { ingreso: original.minus(parteOf(descuento, ponemos)), estima: [] };
  const nuestra = parteOf(original, ponemos);
  const ingreso = original.minus(nuestra.compare(descuento) > 0 ? descuento : nuestra);
  return { ingreso, estima: isNear(parteOf(original, suma), descuento) ? [] : [PARTES_DUDOSAS] };
}

const parteOf = (todo: Money, porCiento: Money) => todo.by(porCiento.dividedBy(100)).cents();
const SIN_PARTE = 'como si todo el descuento fuera nuestro: no se dice qué parte ponemos';
const PARTES_DUDOSAS = 'con las partes del descuento, que no suman lo que baja el precio';

/** Returns the mark of a promotion as a screen shows it. */
export const huellaOfPromocion = ({ estado, palabra, precio }: Marcada) =>
  [estado ?? palabra, precio === null ? '' : enTexto(precio)].join('·');
type Marcada = { estado: EstadoDePromocion | null; palabra: string; precio: Money | string | null };
const enTexto = (precio: Money | string) => (typeof precio === 'string' ? precio : precio.toFixed(2));

/** What a promotion would leave of a sale: '—' in words where nobody knows it. */
type Juzgada = {
  queda: Money | string | null;
  margen: Money | string | null;
  estima: readonly string[];
  porque: string | null;
};

/** Returns what a promotion would leave, in words: 'quedarían ≈ $37.40 (4.6 %)'. Null where nobody knows it. */
export function loQueDeja({ queda, margen, estima }: Omit<Juzgada, 'porque'>): string | null {
  if (queda === null || margen === null) return null;
  const [pesos, parte] = [enTexto(queda), typeof margen === 'string' ? Money.of(margen) : margen];
  const pierde = pesos.startsWith('-');
  const casi = estima.length > 0 ? '≈ ' : '';
  return `${pierde ? 'se perderían' : 'quedarían'} ${casi}${enPesos(pierde ? pesos.slice(1) : pesos)} (${parte.times(100).toFixed(1)} %)`;
}

/** The question before a listing is kept out of automatic promotions and one of them is removed. */
export function askExcluir(
  promocion: Juzgada & { titulo: string; mercado: string; nombre: string; precio: Money | string | null },
): Question {
  const { titulo, mercado, nombre, precio } = promocion;
  const deja = loQueDeja(promocion);
  return {
    titulo: 'Excluir de las promociones',
    texto: '¿Esta seguro que desea excluir la publicación de las promociones automáticas?',
    hechos: hechosOf(
      `${titulo}.`,
      `${nombre}${precio === null ? '' : ` a ${enPesos(enTexto(precio))}`}: ${deja ?? `no se sabe lo que quedaría${promocion.porque === null ? '' : `. ${promocion.porque}`}`}${deja || promocion.porque === null ? '.' : ''}`,
      `${mercado} ya no la pondrá en promociones por su cuenta, y la oferta se quita.`,
    ),
  };
}

/** Both parts of an exclusion: why one was not done; null where it was. `estaba`: the offer still stood there. */
export type PartesDeExclusion = { noExcluida: string | null; noQuitada: string | null; estaba: boolean };

/** Returns what became of both parts, in words. */
export const dichoOfExclusion = ({ noExcluida, noQuitada, estaba }: PartesDeExclusion): string =>
  [
    noExcluida === null
      ? 'Ya no entra en promociones automáticas.'
      : `No se pudo sacar de las promociones automáticas: ${sinPunto(noExcluida)}.`,
    noQuitada !== null
      ? `La oferta no se pudo quitar: ${sinPunto(noQuitada)}.`
      : estaba
        ? 'La oferta se quitó.'
        : 'La oferta ya no estaba.',
  ].join(' ');
const sinPunto = (texto: string) => texto.replace(/\.$/, '');
