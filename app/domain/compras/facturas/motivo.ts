/** Reason why a part of a supplier's document was given to a sale, in the order of their weight: a number, a model, or being the only sale it names. */
export type Motivo = 'referencia' | 'modelo' | 'documento';
export const MOTIVO_LABEL: Record<Motivo, string> = {
  referencia: 'Número de orden o guía',
  modelo: 'Modelo',
  documento: 'Mismo documento',
};
