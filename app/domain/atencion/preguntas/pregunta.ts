import type { Market } from '~/core/market';
import { MERCADOS } from '~/domain/mercados/mercados';
import type { EstatusPregunta } from '~db/columns';

export type { EstatusPregunta };

/** Two words are ours; what else the marketplace says stands beside the second. */
export const estatusOfPregunta = (estatus: EstatusPregunta) => (estatus === 'respondida' ? 'Respondida' : 'Pendiente');

/** Why a question can no longer be answered, by its state. */
export const POR_QUE_NO: Partial<Record<EstatusPregunta, string>> = {
  cerrada: 'La publicación se cerró sin respuesta',
  enRevision: 'Mercado Libre la está revisando',
  retirada: 'Mercado Libre la retiró',
  borrada: 'Se borró',
  desactivada: 'Quien preguntó fue desactivado',
  desconocida: 'Mercado Libre dice algo que no conocemos',
};

/** Time in which an answer counts as given in time at the marketplace, in ms. */
export const HORA_DE_RESPUESTA_MS = 3_600_000;

/** The most that the marketplace takes of an answer. */
export const MAX_RESPUESTA = 2_000;

export const TITULO_PREGUNTA = 'Error al responder la pregunta.';
export const RESPONDIDA = 'La pregunta se respondio de forma correcta';

/** The link of a buyer's question at its marketplace: the page of the listing, where it has one. */
export const preguntaUrl = ({
  enlace,
  market,
  publicacionId,
}: {
  enlace: string | null;
  market: Market;
  publicacionId: string;
}): string | undefined => enlace ?? MERCADOS[market].articuloUrl?.(publicacionId);

/** An answer leaves so many seconds after the press: until then it can be stopped, and nobody is asked whether they are sure. */
export const SALE_EN_SEGUNDOS = 8;

/** The question B before a buyer is kept out, or let in again. */
export const askBlock = (bloquear: boolean, quien: string) => ({
  titulo: bloquear ? 'Bloquear cliente' : 'Activar cliente',
  texto: bloquear
    ? '¿Está seguro que desea bloquear al cliente? No podrá preguntar ni comprar.'
    : '¿Está seguro que desea activar al cliente? Podrá preguntar y comprar otra vez.',
  hechos: quien,
});
