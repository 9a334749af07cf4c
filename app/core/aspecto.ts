/** How a person wants their screens: light, dark or as their system has it; how tall the rows of a list are; which parts of the frame are folded. */
export const APARIENCIAS = ['sistema', 'claro', 'oscuro'] as const;
export type Apariencia = (typeof APARIENCIAS)[number];

export const DENSIDADES = ['compacta', 'normal', 'amplia'] as const;
export type Densidad = (typeof DENSIDADES)[number];

export type Preferencias = {
  apariencia: Apariencia;
  densidad: Densidad;
  cajonPlegado: boolean;
  /** The kinds of record whose panel takes the wider of its two widths. */
  panelesAnchos: string[];
  /** Whether keys of one letter do something where nobody types. */
  teclas: boolean;
  /** Groups of the menu that stay shut unless the screen in sight is one of theirs. */
  plegados: string[];
  /** Screens that stand first in the menu as well, by their key. */
  fijados: string[];
};

/** Of who never chose. */
export const PREFERENCIAS: Preferencias = {
  apariencia: 'sistema',
  densidad: 'normal',
  cajonPlegado: false,
  panelesAnchos: ['cliente', 'datosporventa'],
  teclas: true,
  plegados: ['reportes', 'configuracion'],
  fijados: [],
};

export const isApariencia = (text: unknown): text is Apariencia => APARIENCIAS.some((one) => one === text);

/** Of a row of a list, in px, by its lines; the browser places rows it has not read by the same numbers. */
export const FILA: Record<Densidad, Record<1 | 2, number>> = {
  compacta: { 1: 30, 2: 44 },
  normal: { 1: 36, 2: 50 },
  amplia: { 1: 44, 2: 60 },
};
/** Of a list's headers and totals, whatever its rows are. */
export const TITULOS = 34;
