import type { FormatoDeEtiqueta } from './formatoDeEtiqueta';

/** Colours of the screens that a person chose: `sistema` follows the setting of the person's computer. */
export const APARIENCIAS = ['sistema', 'claro', 'oscuro'] as const;
export type Apariencia = (typeof APARIENCIAS)[number];

/** Height of the rows of a list. */
export const DENSIDADES = ['compacta', 'normal', 'amplia'] as const;
export type Densidad = (typeof DENSIDADES)[number];

/** Look of the screens that a person chose; stored with the person. */
export type Preferencias = {
  apariencia: Apariencia;
  densidad: Densidad;
  cajonPlegado: boolean;
  /** Kinds of record whose panel takes the wider of its two widths. */
  panelesAnchos: string[];
  /** True where single letters are shortcuts; a letter typed in a field is never a shortcut. */
  teclas: boolean;
  /** Groups of the menu that stay folded, except the group of the screen in sight. */
  plegados: string[];
  /** Keys of the screens that stand first in the menu, besides their usual place. */
  fijados: string[];
  etiquetas: FormatoDeEtiqueta;
  /** Key of the screen that a session begins on; null for the home of the role. */
  inicio: string | null;
};

/** Preferences of a person who never chose. */
export const PREFERENCIAS: Preferencias = {
  apariencia: 'sistema',
  densidad: 'normal',
  cajonPlegado: false,
  panelesAnchos: ['cliente', 'datosporventa'],
  teclas: true,
  plegados: ['reportes', 'configuracion'],
  fijados: [],
  etiquetas: 'pdf',
  inicio: null,
};

/** Returns whether the value is a choice of colours. */
export const isApariencia = (text: unknown): text is Apariencia => APARIENCIAS.some((one) => one === text);

/**
 * Height of a row in px, by density and by its number of lines. The browser places rows that it has not read yet by the
 * same numbers.
 */
export const FILA: Record<Densidad, Record<1 | 2, number>> = {
  compacta: { 1: 30, 2: 44 },
  normal: { 1: 36, 2: 50 },
  amplia: { 1: 44, 2: 60 },
};
/** Height of the headers and of the totals of a list in px, the same for every density. */
export const TITULOS = 34;
