import { z } from 'zod';
import { withoutEntities } from '~/core/htmlEntities';

/** The data that the SAT's page shows of a cédula, in its words; empty where the page is. */
const Ficha = z.object({
  rfc: z.string().max(20),
  razonSocial: z.string().max(300),
  cp: z.union([z.literal(''), z.string().regex(/^\d{5}$/)]).catch(''),
  /** Regimes that still hold. */
  regimenes: z.array(z.string().max(300)).max(20),
});
export type Ficha = z.infer<typeof Ficha>;

const SUYO = /El RFC:\s*([^\s,<]{12,20})[\s,]{1,9}tiene asociada/i;
const NINGUNA = /No se encontr[oó] informaci[oó]n/i;

/**
 * Reads the SAT's page for telephones: tables inside tables, in whose innermost rows a label is followed by its value. Undefined when the
 * page says that there is no such cédula, null when it is something else.
 */
export function parsePagina(html: string): Ficha | undefined | null {
  const text = textOf(html);
  const rfc = SUYO.exec(text)?.[1];
  if (rfc === undefined) return NINGUNA.test(text) ? undefined : null;
  const pairs = pairsOf(html);
  const value = (...labels: string[]) =>
    pairs.find(([label, text]) => labels.includes(label) && text !== '')?.[1] ?? '';
  const persona = [value('NOMBRE', 'NOMBRE (S)'), value('APELLIDO PATERNO', 'PRIMER APELLIDO')];
  const ficha = Ficha.safeParse({
    rfc,
    razonSocial:
      value('DENOMINACION O RAZON SOCIAL', 'DENOMINACION/RAZON SOCIAL') ||
      [...persona, value('APELLIDO MATERNO', 'SEGUNDO APELLIDO')].filter(Boolean).join(' '),
    cp: value('CP', 'CODIGO POSTAL'),
    regimenes: regimenesOf(pairs),
  });
  return ficha.success ? ficha.data : null;
}

/** The regimes without a last day among the dates that follow them. */
function regimenesOf(pairs: readonly Pair[]): string[] {
  const starts = pairs.flatMap(([label, text], at) => (label === 'REGIMEN' && text !== '' ? [at] : []));
  return starts
    .filter((at, i) => {
      const own = pairs.slice(at + 1, starts[i + 1]);
      return !own.some(([label, text]) => /^FECHA DE (?:BAJA|FIN|TERMINO)/.test(label) && text !== '');
    })
    .map((at) => pairs[at]![1]);
}

type Pair = readonly [label: string, text: string];

/** Labels with their values: in the order of the page a cell that ends in a colon names the next one. */
function pairsOf(html: string): Pair[] {
  const cells = html
    .split(/<td\b[^<>]*>/i)
    .slice(1)
    .map((piece) => textOf(piece.split(/<\/td>|<table\b/i)[0]!));
  return cells.flatMap((cell, at) => {
    if (!cell.endsWith(':')) return [];
    const next = cells[at + 1] ?? '';
    return [[labelOf(cell), next.endsWith(':') ? '' : next]];
  });
}

const labelOf = (cell: string) => cell.slice(0, -1).normalize('NFD').replace(/\p{M}/gu, '').trim().toUpperCase();

/** The text of a piece of HTML, without letters beyond the Latin alphabet, which no name has. */
const textOf = (html: string) =>
  withoutEntities(html.replace(/<[^<>]*>/g, ' '))
    .replace(/[\u{250}-\u{10ffff}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
