/** Lives of a token of the API, in days. The longest is a year, so that a forgotten token ends. */
export const VIDAS = ['7', '30', '90', '365'] as const;
export const VIDA_LABEL: Record<(typeof VIDAS)[number], string> = {
  7: '7 días',
  30: '30 días',
  90: '90 días',
  365: '1 año',
};
