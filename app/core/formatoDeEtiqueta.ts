/** The format in which a person prints labels: pages, or the language of label printers. */
export const FORMATOS_DE_ETIQUETA = ['pdf', 'zpl'] as const;
export type FormatoDeEtiqueta = (typeof FORMATOS_DE_ETIQUETA)[number];
