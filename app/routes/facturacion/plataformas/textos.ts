import type { Question } from '~/core/fieldRules';
import { MARKET_LABEL, type Market } from '~/core/market';
import { nombreOfMes } from '~/core/time';

/** The question before a document is taken away. */
export const removeQuestion = ({ market, mes, uuid }: { market: Market; mes: string; uuid: string }): Question => ({
  titulo: 'Quitar CFDI de retenciones',
  texto: `¿Esta seguro que desea quitar el CFDI de ${MARKET_LABEL[market]} de ${nombreOfMes(mes)}?`,
  hechos: `${uuid}. Su XML se puede volver a subir.`,
  destruye: true,
});

/** The result of reading several documents: the reasons of those that were refused, and the months of the others. */
export type RetencionesLeidas = { motivos: string; meses: string[] };
