import { enlaceA, enlaceWeb, html, type Html } from './html.server';
import type { PapelPuesto } from './papeles';

/** Lists what is there of a sale and what is missing, kind by kind. `desde` leads from the page to the root of the ZIP. */
export const listPapeles = (papeles: readonly PapelPuesto[], desde = ''): Html =>
  html`<table>
    <tbody>
      ${papeles.map(
        ({ titulo, hay, falta, porque }) =>
          html`<tr>
            <th>${titulo}</th>
            <td>
              ${hay.map(({ texto, ruta }) => html`<p>${ruta === null ? texto : enlaceA(ruta, texto, desde)}</p>`)}${falta.map(
                (una) =>
                  html`<p>
                    <span class="${una.fuera ? 'fuera' : 'falta'}">falta: ${una.que}.</span> ${una.como}
                    ${una.url !== undefined && enlaceWeb(una.url)}
                  </p>`,
              )}${hay.length + falta.length === 0 && html`<p class="nota">No aplica. ${porque}</p>`}
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
