import type { Question } from '~/core/fieldRules';

/** With the documents that keep what they say, in a sentence. */
export const guardarCliente = (fijos: string | null): Question => ({
  titulo: 'Guardar información',
  texto: '¿Esta seguro que desea guardar la información?',
  hechos: fijos ?? undefined,
});
