import { rowOf, tableOf } from '~/core/table';
import type { PrecioParaGanar } from '~/integrations/mercadolibre/wirePublicacion';
import type { CompetenciaHallada } from '~/domain/mercados/publicacion';
import type { LugarDeCompetencia } from '~db/columns';

/** Mercado Libre's words for the place of a listing on its catalogue page. Outside the catalogue it answers `not_listed`, which no document names. */
const LUGARES: Readonly<Record<string, LugarDeCompetencia>> = tableOf({
  winning: 'gana',
  sharing_first_place: 'comparte',
  competing: 'pierde',
  listed: 'noCompite',
  not_listed: 'noCompite',
});

const RAZONES: Readonly<Record<string, string>> = tableOf({
  non_trusted_seller: 'La cuenta está marcada como poco confiable.',
  reputation_below_threshold: 'La reputación de la cuenta no alcanza para ganar.',
  item_reputation_below_threshold: 'La reputación de la publicación no alcanza para ganar.',
  winner_has_better_reputation: 'Quien gana tiene mejor reputación.',
  manufacturing_time: 'Tiene tiempo de fabricación y quien gana entrega de inmediato.',
  temporarily_winning_manufacturing_time: 'Gana mientras nadie sin tiempo de fabricación compita.',
  temporarily_competing_manufacturing_time: 'Compite mientras nadie sin tiempo de fabricación compita.',
  temporarily_winning_best_reputation_available: 'Gana mientras no llegue alguien con mejor reputación.',
  temporarily_competing_best_reputation_available: 'Compite mientras no llegue alguien con mejor reputación.',
  item_paused: 'Está pausada.',
  item_not_opted_in: 'No está en el catálogo.',
  shipping_mode: 'Su forma de envío es inferior a la de quien gana.',
  newbie_program_seller: 'La cuenta llegó al límite de ventas de vendedor nuevo.',
});

const PESOS = 'MXN';

/** Returns the standing of a listing in our nouns. An unknown word for its place tells nothing, and an amount in another currency is unknown. */
export function competenciaMl(clave: string, dicho: PrecioParaGanar): CompetenciaHallada {
  const lugar = rowOf(LUGARES, dicho.status);
  if (!lugar)
    return { clave, negada: `Mercado Libre contestó un lugar que no conocemos: ${dicho.status}`, cuenta: false };
  const { price_to_win: paraGanar, current_price: nuestro, winner } = dicho;
  const enPesos = (dicho.currency_id ?? PESOS) === PESOS;
  return {
    clave,
    competencia: {
      lugar,
      razones: (dicho.reason ?? []).map((razon) => rowOf(RAZONES, razon) ?? razon),
      nuestro: (enPesos && positive(nuestro)) || null,
      paraGanar: (enPesos && positive(paraGanar)) || null,
      ganador: ((winner?.currency_id ?? dicho.currency_id ?? PESOS) === PESOS && positive(winner?.price)) || null,
      comparten: dicho.competitors_sharing_first_place ?? null,
    },
  };
}

/** Nothing is sold at 0: a 0 tells no price. */
const positive = (precio: PrecioParaGanar['price_to_win']) =>
  precio && !precio.isZero() && !precio.isNegative() ? precio : null;
