/** The look of the sandbox's pages: one style sheet, no scripts. */
import { escapeText } from './service';

const STYLE = `
:root{--ink:#1d2433;--soft:#5d6678;--line:#d9dee8;--paper:#fff;--back:#f3f5f9;--accent:#1f5fbf;--warn:#8a4b00}
*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:1080px;margin:0 auto;padding:1rem}h1{font-size:1.6rem;margin:.4rem 0}h2{font-size:1.2rem;margin:0 0 .3rem}h3{font-size:1rem;margin:1rem 0 .3rem}
a{color:var(--accent)}p{margin:.3rem 0}.soft{color:var(--soft)}.mark{background:#fff4d6;border:1px solid #e7cf8d;color:var(--warn);padding:.4rem .7rem;border-radius:6px}
section{background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:1rem;margin:1rem 0}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{text-align:left;padding:.35rem .5rem;border-bottom:1px solid var(--line);vertical-align:top;white-space:nowrap}
td.text{white-space:normal;min-width:12rem}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
form{display:flex;flex-wrap:wrap;gap:.5rem;align-items:end;margin:.4rem 0}label{display:flex;flex-direction:column;font-size:.8rem;color:var(--soft)}
input,select,button{font:inherit;padding:.45rem .6rem;border:1px solid #aeb7c6;border-radius:6px;background:#fff;max-width:100%}
button{background:var(--accent);border-color:var(--accent);color:#fff;cursor:pointer}button.plain{background:#fff;color:var(--accent)}
:focus-visible{outline:3px solid #f0a500;outline-offset:2px}code,pre{font:.85rem/1.4 ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere;white-space:pre-wrap}
ul.counts{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;list-style:none;padding:0;margin:.4rem 0}ul.counts b{font-variant-numeric:tabular-nums}nav{display:flex;flex-wrap:wrap;gap:1rem}
`;

export function layout(title: string, content: string): string {
  return `<!DOCTYPE html><html lang="es-MX"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeText(title)}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head><body><main>${content}</main></body></html>`;
}

export interface TableColumn<Row> {
  header: string;
  /** The cell as HTML. The writer of a column escapes its text. */
  cell: (row: Row) => string;
  kind?: 'n' | 'text';
}

export function table<Row>(rows: Row[], columns: TableColumn<Row>[], empty: string): string {
  if (rows.length === 0) return `<p class="soft">${escapeText(empty)}</p>`;
  const head = columns.map(({ header, kind }) => `<th class="${kind ?? ''}">${escapeText(header)}</th>`).join('');
  const body = rows
    .map((row) => `<tr>${columns.map(({ cell, kind }) => `<td class="${kind ?? ''}">${cell(row)}</td>`).join('')}</tr>`)
    .join('');
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** '20/11/2026 10:03' in Mexico City. */
export function localTime(iso: string): string {
  return new Intl.DateTimeFormat('es-MX', {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: 'America/Mexico_City',
  }).format(new Date(iso));
}
