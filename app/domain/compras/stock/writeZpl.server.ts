import QRCode from 'qrcode';
import { direccionOf, type Etiqueta, partido } from './drawEtiquetas.server';
import type { PapelDeRollo } from './papel';

/** Dots of a millimetre at 203 dots per inch, which most label printers have. */
const DOTS = 8;
const ROLLOS: Readonly<Record<PapelDeRollo, { ancho: number; alto: number }>> = {
  rollo50: { ancho: 50 * DOTS, alto: 30 * DOTS },
  rollo62: { ancho: 62 * DOTS, alto: 40 * DOTS },
};
const MARGEN = 12;
/** White squares around a code, without which readers do not find it. */
const BLANCO = 4;
/** Largest square of a code that `^BQ` takes, in dots. */
const MAX_PUNTO = 10;
const LETRA = { folio: 44, nombre: 20 };
/** Height of a line, by the height of its letters. */
const RENGLON = 1.2;

/** Writes labels in ZPL, the language of label printers: the code of each at the left, its folio and the name of the piece beside it. */
export const writeZpl = (etiquetas: readonly Etiqueta[], papel: PapelDeRollo): string =>
  etiquetas.map((etiqueta) => labelOf(etiqueta, ROLLOS[papel])).join('');

function labelOf({ codigo, titulo, detalle }: Etiqueta, { ancho, alto }: { ancho: number; alto: number }): string {
  const direccion = direccionOf(codigo);
  // The printer chooses the smallest code that holds the text; as bytes it is never smaller than that.
  const { size } = QRCode.create([{ data: Buffer.from(direccion), mode: 'byte' }], {
    errorCorrectionLevel: 'M',
  }).modules;
  const lado = size + 2 * BLANCO;
  const punto = Math.max(1, Math.min(MAX_PUNTO, Math.floor(Math.min(alto - 2 * MARGEN, ancho * 0.54) / lado)));
  const left = MARGEN + lado * punto;
  const width = ancho - MARGEN - left;
  const [serie, resto] = partido(codigo);
  const folio = Math.min(LETRA.folio, Math.floor(width / Math.max(widthOf(serie), widthOf(resto))));
  const lines = [
    { texto: serie, letra: folio },
    { texto: resto, letra: folio },
    ...textLines(titulo, detalle, width, alto - 2 * MARGEN - Math.ceil(2 * folio * RENGLON)),
  ];
  let top = MARGEN;
  const written = lines.map(({ texto, letra }) => {
    const field = `^FO${left},${top}^A0N,${letra},${letra}${dataOf(texto)}`;
    top += Math.ceil(letra * RENGLON);
    return field;
  });
  const code = `^FO${MARGEN + BLANCO * punto},${Math.floor((alto - size * punto) / 2)}^BQN,2,${punto}${dataOf(`MA,${direccion}`)}`;
  return `^XA\n^CI28^PW${ancho}^LL${alto}^LH0,0\n${[code, ...written].join('\n')}\n^XZ\n`;
}

/** The name of the piece and its detail in the lines that fit a height: the detail has the last ones, and a name that is longer ends in '...'. */
function textLines(titulo: string, detalle: string, width: number, height: number) {
  const most = Math.floor(height / (LETRA.nombre * RENGLON));
  const given = breakText(detalle, width, Math.min(2, most));
  return [...breakText(titulo, width, most - given.length), ...given].map((texto) => ({ texto, letra: LETRA.nombre }));
}

/** Breaks a text into at most so many lines of a width, between words, and inside a word wider than a line. */
function breakText(text: string, width: number, most: number): string[] {
  const fits = (line: string) => widthOf(line) * LETRA.nombre <= width;
  const lines: string[] = [];
  let rest = text.trim().replace(/\s+/g, ' ');
  while (rest !== '' && lines.length < most) {
    const letters = [...rest];
    let end = letters.length;
    while (end > 1 && !fits(letters.slice(0, end).join(''))) end--;
    const line = letters.slice(0, end).join('');
    const space = line.lastIndexOf(' ');
    const whole = end === letters.length || letters[end] === ' ' || space < 1 ? line : line.slice(0, space);
    lines.push(whole);
    rest = rest.slice(whole.length).trimStart();
  }
  if (rest === '' || lines.length === 0) return lines;
  let last = [...lines.pop()!];
  while (last.length > 0 && !fits(`${last.join('')}...`)) last = last.slice(0, -1);
  return [...lines, `${last.join('').trimEnd()}...`];
}

const NARROW = /[ijlftrI.,:;'|!()[\]·-]/;
const WIDE = /[mw@%]/i;
const MIDDLE = /[a-z0-9áéíóúüñ ]/;
/** Width of a text in the printer's own font as a part of the height of its letters, rather too much than too little. */
const widthOf = (text: string): number =>
  [...text].reduce(
    (sum, letter) => sum + (NARROW.test(letter) ? 0.4 : WIDE.test(letter) ? 1 : MIDDLE.test(letter) ? 0.62 : 0.8),
    0,
  );

/** A field's text. What the language means something by is written as its number (`^FH`), and control characters are left out. */
const dataOf = (text: string): string =>
  `^FH^FD${text
    .normalize('NFC')
    .replace(/\p{Cc}/gu, ' ')
    .replace(/[\^~_\\]/g, (sign) => `_${sign.charCodeAt(0).toString(16).toUpperCase()}`)}^FS`;
