import { tableOf } from '~/core/table';

/** A piece of HTML whose texts were escaped. */
export class Html {
  constructor(readonly texto: string) {}
}

type Valor = Html | string | number | null | false | readonly Valor[];

const ENTIDAD: Record<string, string> = tableOf({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
});

/** Escapes a text for HTML. Control characters go, and so do marks that turn the direction of a text around. */
const escape = (texto: string): string =>
  texto
    .replace(/[^\t\n\r\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/[&<>"']/g, (letra) => ENTIDAD[letra]!);

function writeValor(valor: Valor): string {
  if (valor instanceof Html) return valor.texto;
  if (typeof valor === 'string') return escape(valor);
  if (typeof valor === 'number') return String(valor);
  return valor === null || valor === false ? '' : valor.map(writeValor).join('');
}

/** Fixed parts of what is written, each line without the blanks of our sources. */
const FIJAS = new WeakMap<TemplateStringsArray, readonly string[]>();

function fijasOf(partes: TemplateStringsArray): readonly string[] {
  const known = FIJAS.get(partes);
  if (known) return known;
  const fijas = partes.map((parte) => {
    const lineas = parte.split('\n');
    // Blanks at the ends of a part stand beside a value, and count.
    return lineas
      .map((linea, at) => (at === 0 ? linea : linea.trimStart()))
      .map((linea, at) => (at === lineas.length - 1 ? linea : linea.trimEnd()))
      .join('\n');
  });
  FIJAS.set(partes, fijas);
  return fijas;
}

/** Writes HTML: every value is escaped, except what this function wrote. */
export const html = (partes: TemplateStringsArray, ...valores: readonly Valor[]): Html =>
  new Html(fijasOf(partes).reduce((texto, parte, at) => texto + writeValor(valores[at - 1] ?? null) + parte));

/** A link of the page to a file beside it, by its path in the ZIP. */
export const enlaceA = (ruta: string, texto: string, desde = ''): Html =>
  html`<a href="${desde + ruta.split('/').map(encodeURIComponent).join('/')}">${texto}</a>`;

/** A link to a page of the web; the address alone for one of another kind. */
export const enlaceWeb = (url: string): Html =>
  /^https?:\/\//i.test(url) ? html`<a href="${url}">${url}</a>` : html`${url}`;

const ESTILO = `body{font:14px/1.45 system-ui,sans-serif;color:#1b2430;max-width:980px;margin:24px auto;padding:0 16px}
h1{font-size:22px;margin:0 0 8px}h2{font-size:17px;margin:24px 0 8px}h3{font-size:15px;margin:20px 0 6px}
p{margin:4px 0}table{border-collapse:collapse;width:100%;margin:6px 0}th,td{border:1px solid #c3cad4;padding:4px 8px;text-align:left;vertical-align:top;overflow-wrap:anywhere}
th{background:#eef0f3;font-weight:600;overflow-wrap:normal}tbody th{width:11em}.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.falta{color:#b42318;font-weight:600}.fuera{color:#8a5a00}.nota{color:#566273}.venta{break-inside:avoid;border-top:2px solid #c3cad4;margin-top:18px;padding-top:6px}
@media print{body{font-size:10pt;margin:0;max-width:none}a{color:inherit;text-decoration:none}}`;

/** Wraps contents as a whole page. Nothing runs in it, and nothing is fetched. */
export const pagina = (titulo: string): { antes: string; despues: string } => ({
  antes: [
    '<!doctype html>',
    '<html lang="es-MX">',
    html`<head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
      <title>${titulo}</title>
      <style>
        ${new Html(ESTILO)}
      </style>
    </head>`.texto,
    '<body>\n',
  ].join('\n'),
  despues: '</body></html>\n',
});

/** A table with its heads; nothing where there are no rows. */
export const tabla = (cabezas: readonly string[], filas: readonly (readonly Valor[])[]): Html =>
  filas.length === 0
    ? html`<p class="nota">Nada.</p>`
    : html`<table>
        <thead>
          <tr>
            ${cabezas.map((cabeza) => html`<th>${cabeza}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${filas.map(
            (fila) =>
              html`<tr>
                ${fila.map((valor) => html`<td>${valor}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>`;
