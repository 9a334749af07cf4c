import { personaOf } from '~/core/rfc';

/** The legal name of the general public, under which a global is made out. */
export const NOMBRE_PUBLICO_GENERAL = 'PUBLICO EN GENERAL';
/** Tells whether a name is that of the general public, however written: with accents, dots, quotes, double spaces or small letters. */
export const isPublicoGeneral = (nombre: string) =>
  nombre
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, ' ')
    .trim() === NOMBRE_PUBLICO_GENERAL;

/** The sentence for staff who want to edit that record. */
export const PUBLICO_GENERAL_FIJO = `«${NOMBRE_PUBLICO_GENERAL}» es el receptor de las facturas globales y no se modifica.`;

/** A legal name as the SAT keeps it: upper case, single spaces, straight quotes, no `|`. The name stays the same; only its writing changes. */
export function normalizeRazonSocial(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\u2018\u2019\u00B4]/g, "'")
    .replace(/[\u201C\u201D]/g, '"')
    .replaceAll('|', ' ')
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cs}\u200B\u2060\uFEFF]/gu, '')
    .trim()
    .toUpperCase();
}

const CAPITAL = '(?: DE C ?V)?';
/** Kinds of company, with dots read as spaces: 'S.A.P.I. de C.V.' is 'S A P I DE C V'. */
const SOCIEDADES = [
  `S ?A(?: ?B| ?S| ?P ?I(?: ?B)?)?${CAPITAL}`,
  'S(?: ?C| ?P ?R| ?S ?S)? DE R ?[LSI](?: DE (?:C ?V|I ?P|M ?I))?',
  'S ?C(?: ?L| ?S| DE (?:C|P|B|A ?P)(?: DE R ?[LS])?)?(?: DE C ?V)?',
  'S EN C(?: POR A)?',
  'S EN N ?C',
  'S ?N ?C',
  'S ?P ?R',
  'A ?C',
  'A ?R',
  'I ?A ?P',
  'A ?B ?P',
  'A EN P',
];
/** Words at the end of a name that are looked at; the longest kind of company has nineteen. */
const LARGO = 30;
const SOCIEDAD = new RegExp(`^(?:${SOCIEDADES.join('|')})(?: S ?O ?F ?O ?M E ?N? ?R)?$`);

/**
 * The kind of company at the end of a legal person's name ('SA DE CV') and the name without it, as CFDI 4.0 wants it; null when there is
 * none. A natural person's name is never touched: SC or AC can be initials.
 */
export function tipoOfSociedad(rfc: string, razonSocial: string): { tipo: string; nombre: string } | null {
  if (personaOf(rfc) !== 'moral') return null;
  const words = razonSocial.split(' ');
  for (let from = Math.max(1, words.length - LARGO); from < words.length; from++) {
    const tipo = words.slice(from).join(' ');
    if (SOCIEDAD.test(tipo.replace(/[.,]+/g, ' ').replace(/\s+/g, ' ').trim()))
      return {
        tipo,
        nombre: words
          .slice(0, from)
          .join(' ')
          .replace(/(?<![,\s])[,\s]+$/, ''),
      };
  }
  return null;
}
