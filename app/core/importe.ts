import { Money } from './money';

/**
 * An amount as a person writes or pastes it. Mexico writes 1,234.50; what people paste may write 1.234,50 or 1 234.50, and calculators 1234,5.
 * One reading: `importe`, plain decimal text with two decimals. Two readings a hundred or a thousand times apart: nobody guesses, `lecturas` are both.
 */
export type Lectura =
  { clase: 'importe'; importe: string } | { clase: 'dudoso'; lecturas: readonly [string, string] } | { clase: 'nada' };

const NADA: Lectura = { clase: 'nada' };
/** Twelve digits before the point are more than any column of ours holds. */
const ENTEROS = 12;
/** Nobody writes an amount this long. */
const LARGO = 60;
/** What stands around an amount and says nothing of it. */
const DELANTE = /^(?:mxn?)?\s*\$?/i;
const DETRAS = /(?:mxn|m\.n\.|mn|pesos)$/i;
/** Whole groups of three behind one to three digits, all with the same mark between them. */
const EN_GRUPOS = /^[1-9]\d{0,2}([,.' ])\d{3}(?:\1\d{3})*$/;

export function parseImporte(text: string): Lectura {
  if (text.length > LARGO) return NADA;
  const escrito = sinAdorno(text);
  if (!/^[\d.,' ]+$/.test(escrito) || !/\d/.test(escrito)) return NADA;
  if (/^\d+$/.test(escrito)) return importe(escrito, '');
  if (/^\d*\.\d{0,2}$/.test(escrito)) return importe(...partes(escrito, '.'));

  const ultima = Math.max(escrito.lastIndexOf('.'), escrito.lastIndexOf(','));
  const [antes, despues] = ultima < 0 ? [escrito, ''] : [escrito.slice(0, ultima), escrito.slice(ultima + 1)];
  const marca = ultima < 0 ? '' : escrito[ultima]!;

  // A mark that appears once, or after marks of another kind, before at most two digits: they are the cents.
  if (marca !== '' && despues.length <= 2 && !antes.includes(marca)) {
    const pesos = enteros(antes);
    return pesos === null || (marca === ',' && despues === '') ? NADA : importe(pesos, despues);
  }
  // 1,234,56: the last mark could begin the cents or be a group that lost a digit.
  if (marca !== '' && despues.length > 0 && despues.length <= 2) {
    const pesos = enteros(antes);
    return pesos === null ? NADA : dudoso(`${pesos}.${despues}`, `${pesos}${despues}`);
  }
  // 1.234: a point means cents in Mexico and thousands elsewhere. 0,500 and 1234,567 are as unclear with a comma.
  if (marca === '.' && /^\d{1,3}\.\d{3}$/.test(escrito)) return dudoso(`${antes}${despues}`, `${antes}.${despues}`);
  if (EN_GRUPOS.test(escrito)) return importe(escrito.replace(/\D/g, ''), '');
  if (/^\d+,\d{3,}$/.test(escrito)) return dudoso(`${antes}${despues}`, `${antes}.${despues}`);
  return NADA;
}

/** Without currency and with one kind of blank; the apostrophe of millions (1'234,567.89) becomes the comma it stands for. */
function sinAdorno(text: string): string {
  const llano = text
    .replace(/[\u00a0\u2009\u202f]/g, ' ')
    .replace(/’/g, "'")
    .trim();
  return llano
    .replace(DELANTE, '')
    .replace(DETRAS, '')
    .trim()
    .replace(/^(\d{1,3})'(?=\d{3},\d{3})/, '$1,');
}

/** The amount understood, or what was typed; null where nothing was. */
export function leido(text: string | null): string | null {
  if (text === null || text.trim() === '') return null;
  const lectura = parseImporte(unmaskMonto(text));
  return lectura.clase === 'importe' ? lectura.importe : text;
}

/** Both readings in the words of the form's error. */
export function dudaOfImporte([una, otra]: readonly [string, string]): string {
  return `Puede ser ${enPesos(una)} o ${enPesos(otra)}. Escríbelo con punto y dos decimales.`;
}

/** The amount understood, as the form echoes it: '$1,234.50'. */
export function enPesos(importe: string): string {
  const [pesos = '0', centavos = '00'] = importe.split('.');
  return `$${enMiles(pesos)}.${centavos}`;
}

/** '1,234,567' of '1234567': digits alone, in groups of three from their end. */
export function enMiles(digitos: string): string {
  const primeros = digitos.length % 3;
  const grupos = digitos.slice(primeros).match(/\d{3}/g) ?? [];
  return (primeros === 0 ? grupos : [digitos.slice(0, primeros), ...grupos]).join(',');
}

/** The digits before the cents: plain, or in whole groups of three. */
function enteros(antes: string): string | null {
  if (antes === '') return '0';
  return /^\d+$/.test(antes) || EN_GRUPOS.test(antes) ? antes.replace(/\D/g, '') : null;
}

function partes(escrito: string, marca: string): [string, string] {
  const [pesos = '', centavos = ''] = escrito.split(marca);
  return [pesos === '' ? '0' : pesos, centavos];
}

function importe(pesos: string, centavos: string): Lectura {
  const plain = pesos.replace(/^0+(?=\d)/, '');
  return plain.length > ENTEROS ? NADA : { clase: 'importe', importe: `${plain}.${centavos.padEnd(2, '0')}` };
}

function dudoso(una: string, otra: string): Lectura {
  const [a, b] = [una, otra].map((text) => Money.of(text).toFixed(2)) as [string, string];
  return a.length > ENTEROS + 3 || b.length > ENTEROS + 3 ? NADA : { clase: 'dudoso', lecturas: [a, b] };
}

/** What the mask of the field leaves: `$ 1,234._0` is 1234.00, since an underscore is a digit that nobody typed. */
export function unmaskMonto(text: string): string {
  return text.replace(/_/g, '0');
}
