/** The few sales that were paid and not fulfilled are found without reading all that ended. */
export const concurrently = {
  orden_en_pie: { on: 'orden (fecha_creacion desc, id desc) where en_pie > 0' },
} as const;
