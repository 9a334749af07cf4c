import { Money } from '~/core/money';
import { rowOf, tableOf } from '~/core/table';
import type { Promocion } from '~/integrations/mercadolibre/wirePromociones';
import type { PromocionLeida } from '~/domain/mercados/publicacion';
import type { EstadoDePromocion } from '~db/columns';

/** Mercado Libre's words for how far a promotion of a listing is. Before it runs, it may be asked for or asked back. */
const ESTADOS: Readonly<Record<string, EstadoDePromocion>> = tableOf({
  candidate: 'candidata',
  pending: 'programada',
  sync_requested: 'programada',
  restore_requested: 'programada',
  started: 'activa',
});

/** The type that Mercado Libre pays whole. It starts without an invitation, and only their own page ends it. */
const PAGADA_ALLA = 'PRICE_MATCHING_MELI_ALL';

const TIPOS: Readonly<Record<string, string>> = tableOf({
  DEAL: 'Campaña tradicional',
  MARKETPLACE_CAMPAIGN: 'Campaña con aporte de Mercado Libre',
  PRICE_DISCOUNT: 'Descuento individual',
  VOLUME: 'Descuento por cantidad',
  DOD: 'Oferta del día',
  LIGHTNING: 'Oferta relámpago',
  PRE_NEGOTIATED: 'Descuento acordado',
  SELLER_CAMPAIGN: 'Campaña del vendedor',
  SMART: 'Campaña automática',
  PRICE_MATCHING: 'Precio igualado',
  [PAGADA_ALLA]: 'Precio igualado, lo paga Mercado Libre',
  UNHEALTHY_STOCK: 'Liquidación de stock en Full',
  BANK: 'Descuento con bancos',
  SELLER_COUPON_CAMPAIGN: 'Cupón del vendedor',
});

const SOLO_ALLA = 'La paga Mercado Libre y no baja lo que recibimos. Solo se quita en su panel.';

/** Returns the promotions of a listing in our nouns. A price of 0 is that of an invitation, and unknown. */
export function promocionesMl(dichas: readonly Promocion[]): PromocionLeida[] {
  const veces = new Map<string, number>();
  return dichas.map((dicha) => {
    const { id, type, status } = dicha;
    const suya = `${type}:${id ?? ''}`;
    const vez = (veces.get(suya) ?? 0) + 1;
    veces.set(suya, vez);
    const pagadaAlla = type === PAGADA_ALLA;
    return {
      clave: vez === 1 ? suya : `${suya}:${vez}`,
      tipo: type,
      promocion: id ?? null,
      nombre: [rowOf(TIPOS, type) ?? type, dicha.name].filter(Boolean).join(': '),
      estado: rowOf(ESTADOS, status) ?? null,
      palabra: status,
      precio: positive(dicha.price),
      original: positive(dicha.original_price),
      pone: pagadaAlla ? Money.of('100') : (dicha.meli_percentage ?? null),
      ponemos: pagadaAlla ? Money.zero : (dicha.seller_percentage ?? null),
      desde: dicha.start_date ?? null,
      hasta: dicha.finish_date ?? null,
      soloAlla: pagadaAlla ? SOLO_ALLA : null,
    };
  });
}

/** Tells whether this is the promotion that an effect names. */
export const isSuya = ({ type, id }: Promocion, { tipo, promocion }: { tipo: string; promocion: string | null }) =>
  type === tipo && (id ?? null) === promocion;

/** Tells whether a promotion runs or is about to. */
export const corre = ({ status }: Pick<Promocion, 'status'>): boolean => {
  const estado = rowOf(ESTADOS, status);
  return estado === 'activa' || estado === 'programada';
};

const positive = (precio: Money | null | undefined) =>
  precio && !precio.isZero() && !precio.isNegative() ? precio : null;
