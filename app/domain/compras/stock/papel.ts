/** What labels are printed on: a roll of 50 × 30 mm, a continuous one of 62 mm, or sheets of 24. */
export const PAPELES = ['rollo50', 'rollo62', 'carta', 'a4'] as const;
export type Papel = (typeof PAPELES)[number];
export const PAPEL_LABEL: Readonly<Record<Papel, string>> = {
  rollo50: 'Etiqueta de 50 × 30 mm',
  rollo62: 'Rollo continuo de 62 mm',
  carta: 'Hoja carta, 24 etiquetas',
  a4: 'Hoja A4, 24 etiquetas',
};
