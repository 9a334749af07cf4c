import { loadavg } from 'node:os';

/** One measured thing. `value` is the median where a thing was repeated; the aim is a ceiling unless it says `atLeast`. */
export type Figure = {
  name: string;
  value: number;
  unit:
    | 'ms'
    | 's'
    | 'req/s'
    | 'orders/s'
    | 'sales/s'
    | 'kB'
    | 'MB'
    | 'CFDI'
    | 'rows'
    | 'products/s'
    | 'requests'
    | 'connections'
    | 'pages/s'
    | '‰';
  /** The quickest round: what the rest would be on a machine that does nothing else. */
  best?: number;
  p95?: number;
  aim?: number;
  atLeast?: true;
  exactly?: true;
  note?: string;
  /** Load average of the last minute when it was measured: others may be using the machine. */
  load?: number;
};

export type Verdict = 'pass' | 'miss' | '';

export function verdictOf({ value, aim, atLeast, exactly }: Figure): Verdict {
  if (aim === undefined) return '';
  return (exactly ? value === aim : atLeast ? value >= aim : value <= aim) ? 'pass' : 'miss';
}

export type Spread = { value: number; best: number; p95: number };

/** Runs `work` again and again: the median, the least and the 95th percentile of how long it took. */
export async function measure(work: () => Promise<unknown>, rounds: number, warmUp = 5): Promise<Spread> {
  for (let n = 0; n < warmUp; n++) await work();
  const times: number[] = [];
  for (let n = 0; n < rounds; n++) {
    const from = performance.now();
    await work();
    times.push(performance.now() - from);
  }
  return spread(times);
}

export function spread(times: readonly number[]): Spread {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => rounded(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN);
  return { value: at(0.5), best: at(0), p95: at(0.95) };
}

export const rounded = (value: number, digits = value < 10 ? 2 : 1) => Number(value.toFixed(digits));
export const loadNow = () => rounded(loadavg()[0]!, 1);

const HEADERS = ['measure', 'figure', 'best', 'p95', 'aim', '', 'load', 'note'] as const;

function cellsOf(figure: Figure): string[] {
  const { name, value, unit, best, p95, aim, atLeast, exactly, load, note } = figure;
  const sign = exactly ? '=' : atLeast ? '≥' : '≤';
  return [
    name,
    `${value} ${unit}`,
    best === undefined ? '' : `${best}`,
    p95 === undefined ? '' : `${p95}`,
    aim === undefined ? '' : `${sign} ${aim}`,
    verdictOf(figure),
    load === undefined ? '' : load.toFixed(1),
    note ?? '',
  ];
}

/** For the terminal. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = [[...HEADERS], ...figures.map(cellsOf)];
  const widths = HEADERS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 || column === HEADERS.length - 1 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** For docs/bench.md. */
export function markdownOf(figures: readonly Figure[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(HEADERS),
    '|---|---:|---:|---:|---:|:-:|---:|---|',
    ...figures.map((figure) => line(cellsOf(figure))),
  ].join('\n');
}
