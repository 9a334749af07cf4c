/** Reason why part of a document was given to a sale: its number, its model, or being the only sale that the document names. */
export type Motivo = 'referencia' | 'modelo' | 'documento';
/** Texts of those reasons. */
export const MOTIVO_LABEL: Record<Motivo, string> = {
  referencia: 'Número de orden o guía',
  modelo: 'Modelo',
  documento: 'Mismo documento',
};
