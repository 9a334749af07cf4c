import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Text of people on a PDF, in letters of any script that a font here has. Western letters are those of the fonts that every reader has; the others come
 * from fonts of the Noto family (OFL), cut into slices by script, of which a PDF embeds the letters that it shows.
 */
type Doc = PDFKit.PDFDocument;
type Base = 'Helvetica' | 'Helvetica-Bold';
type Escrito = { font: Base; size: number; color?: string };
/** `height` is the most that the text may take; a longer one ends in '…'. */
type Caja = { x: number; y: number; width: number; height?: number; align?: 'left' | 'right' };
type Letra = { text: string; fuente: Fuente | null };
type Fuente = { file: string; thin: boolean };

/** Fonts in the order in which a letter is looked for. The Chinese one is drawn thin, and its lines are thickened. */
const FONTS = [
  { pack: '@fontsource/noto-sans', end: '400-normal.woff', thin: false },
  { pack: '@fontsource-variable/noto-emoji', end: 'wght-normal.woff2', thin: false },
  { pack: '@fontsource-variable/noto-sans-sc', end: 'wght-normal.woff2', thin: true },
] as const;
/** Pictures that are made of other pictures, which the PDF's library cannot cut out of their font. */
const NOT_CUT = /[👫👭🤰🤴🤶]/u;
const WESTERN = /^[\x20-\x7E\u00A0-\u00FF–—‘’“”•…€]*$/;
/** Marks that choose a picture's color or join pictures, and draw nothing themselves. */
const UNSEEN = /[\u200B-\u200D\u2060\uFE0E\uFE0F]|\p{Cc}/gu;
/** Ascender of Helvetica, by which a line of several fonts stands on one base line. */
const ASCENDER = 0.718;
const THICKER = 0.03;

type Slice = { from: number; to: number; fuente: Fuente };
let slices: Slice[] | undefined;

/** Reads which slice has which letters, once for the life of the process. */
function readSlices() {
  const { resolve } = createRequire(import.meta.url);
  return FONTS.flatMap(({ pack, end, thin }) => {
    const ranges = JSON.parse(readFileSync(resolve(`${pack}/unicode.json`), 'utf8')) as Record<string, string>;
    return Object.entries(ranges).flatMap(([slice, codes]) => {
      const file = resolve(`${pack}/files/${pack.split('/')[1]}-${slice.replace(/[[\]]/g, '')}-${end}`);
      return codes.split(',').map((range) => {
        const [from = 0, to = from] = range
          .replace('U+', '')
          .split('-')
          .map((code) => parseInt(code, 16));
        return { from, to, fuente: { file, thin } };
      });
    });
  });
}

/** Returns the text as PDFs and their readers' own fonts hold it. */
const cleaned = (text: string) => text.normalize('NFC').replace(UNSEEN, '');

const known = new Map<string, Fuente | undefined>();

/** Returns the font that has a letter which is not Western; undefined when none here has it. A slice may name letters that it lacks. */
function fuenteOf(doc: Doc, letter: string): Fuente | undefined {
  if (known.has(letter)) return known.get(letter);
  slices ??= readSlices();
  const code = letter.codePointAt(0)!;
  const has = ({ from, to, fuente }: Slice) => {
    if (code < from || code > to) return false;
    const { _font } = doc.font(fuente.file) as unknown as {
      _font: { font: { hasGlyphForCodePoint(code: number): boolean } };
    };
    return _font.font.hasGlyphForCodePoint(code);
  };
  const fuente = NOT_CUT.test(letter) ? undefined : slices.find(has)?.fuente;
  known.set(letter, fuente);
  return fuente;
}

/** Returns a text in runs of one font each; null is the Western one. A letter that no font here has is a '□'. */
function runsOf(doc: Doc, text: string): Letra[] {
  const runs: Letra[] = [];
  for (const letter of text) {
    const fuente = WESTERN.test(letter) ? null : fuenteOf(doc, letter);
    const run = fuente === undefined ? { text: '□', fuente: fuenteOf(doc, '□')! } : { text: letter, fuente };
    const last = runs.at(-1);
    if (last && last.fuente?.file === run.fuente?.file) last.text += run.text;
    else runs.push(run);
  }
  return runs;
}

function widthOf(doc: Doc, text: string, { font, size }: Escrito): number {
  const widths = runsOf(doc, text).map((run) => doc.font(run.fuente?.file ?? font, size).widthOfString(run.text));
  doc.font(font, size);
  return widths.reduce((sum, width) => sum + width, 0);
}

/** Breaks a text into lines of a width: between words, between letters that are written without spaces, and inside a word wider than a line. */
function linesOf(doc: Doc, text: string, escrito: Escrito, width: number): string[] {
  const lines = [''];
  for (const word of text.split(/(?<= )|(?<=[\u2E80-\u9FFF\uF900-\uFFEF\u{20000}-\u{3FFFF}])/u)) {
    if (lines.at(-1) !== '' && widthOf(doc, lines.at(-1) + word.trimEnd(), escrito) > width) lines.push('');
    for (const letter of widthOf(doc, word.trimEnd(), escrito) > width ? word : [word]) {
      if (lines.at(-1) !== '' && widthOf(doc, lines.at(-1) + letter.trimEnd(), escrito) > width) lines.push('');
      lines.push(lines.pop()! + letter);
    }
  }
  return lines.map((line) => line.trimEnd());
}

const lineHeight = (doc: Doc, { font, size }: Escrito) => doc.font(font, size).currentLineHeight(true);

/** Returns the height in points of a text at a width. */
export function heightOfText(doc: Doc, text: string, escrito: Escrito, width: number): number {
  const clean = cleaned(text);
  doc.font(escrito.font, escrito.size);
  if (WESTERN.test(clean)) return doc.heightOfString(clean, { width });
  return linesOf(doc, clean, escrito, width).length * lineHeight(doc, escrito);
}

/** Writes a text, and leaves the pen below it. */
export function writeText(
  doc: Doc,
  text: string,
  escrito: Escrito,
  { x, y, width, height, align = 'left' }: Caja,
): void {
  const clean = cleaned(text);
  const { font, size, color = '#000' } = escrito;
  doc.font(font, size).fillColor(color);
  if (WESTERN.test(clean))
    return void doc.text(clean, x, y, { width, align, ...(height !== undefined && { height, ellipsis: true }) });
  const [all, high] = [linesOf(doc, clean, escrito, width), lineHeight(doc, escrito)];
  const most = height === undefined ? all.length : Math.max(1, Math.floor(height / high));
  const lines = all.slice(0, most);
  if (all.length > most) lines.push(`${lines.pop()!.slice(0, -1)}…`);
  lines.forEach((line, n) => {
    let left = align === 'left' ? x : x + width - widthOf(doc, line, escrito);
    for (const run of runsOf(doc, line)) {
      doc
        .font(run.fuente?.file ?? font, size)
        .lineWidth(size * THICKER)
        .strokeColor(color);
      const stroke = run.fuente?.thin ?? false;
      doc.text(run.text, left, y + n * high + size * ASCENDER, {
        lineBreak: false,
        baseline: 'alphabetic',
        fill: true,
        stroke,
      });
      left += doc.widthOfString(run.text);
    }
  });
  doc.font(font, size);
  [doc.x, doc.y] = [x, y + lines.length * high];
}
