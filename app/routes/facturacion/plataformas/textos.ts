import type { Question } from '~/core/fieldRules';
import { nombreOfMes } from '~/core/time';

/** The question before a document is taken away. */
export const removeQuestion = ({ mercado, mes, uuid }: { mercado: string; mes: string; uuid: string }): Question => ({
  titulo: 'Quitar CFDI de retenciones',
  texto: `¿Esta seguro que desea quitar el CFDI de ${mercado} de ${nombreOfMes(mes)}?`,
  hechos: `${uuid}. Su XML se puede volver a subir.`,
  destruye: true,
});

/** The result of reading several documents: the reasons of those that were refused, and the months of the others. */
export type RetencionesLeidas = { motivos: string; meses: string[] };
