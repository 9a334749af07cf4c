import { writeCount } from '~/core/count';
import { MERCADOS } from '~/domain/mercados/mercados';
import { createSheet } from '~/platform/lists/xlsx.server';
import { enlaceA, html, pagina, tabla, type Html } from './html.server';
import { listPapeles } from './listPapeles.server';
import { contados, fechaHora, pesos } from './palabras';
import { estadoOf, TITULOS, type EstadoDePapel, type Falta, type PapelPuesto } from './papeles';
import type { Venta } from './ventas.server';

/** What an expediente is about, as its first page tells. */
export type Portada = {
  titulo: string;
  datos: readonly (readonly [que: string, valor: string])[];
  /** Said where there is no sale. */
  nada: string;
};

/** Most sales whose papers the first page lists one by one. Of more it tells in a few lines what is there, and the page of each sale lists its own. */
const ENTERAS = 100;

type Renglon = { venta: Venta; papeles: readonly PapelPuesto[]; carpeta: string };

const EN_EXCEL: Record<EstadoDePapel, string> = {
  está: 'Está',
  falta: 'Falta',
  fuera: 'No se guarda aquí',
  'no aplica': 'No aplica',
};

const fraseOf = ({ que, como, url }: Falta) => `falta: ${que}. ${como}${url ? ` ${url}` : ''}`;
const faltasOf = (papeles: readonly PapelPuesto[], fuera: boolean) =>
  papeles.flatMap(({ falta }) => falta.filter((una) => (una.fuera ?? false) === fuera));

/** Returns the same text in one piece: a text that was put together holds all of its pieces. */
const flat = (texto: string) => Buffer.from(texto).toString();

/**
 * Gathers the index of an expediente, sale by sale: the page that people read, and the same as a sheet. Memory holds a few lines of text for each sale.
 */
export async function createIndice(portada: Portada, ventas: number, ahora: Date) {
  const cuenta = new Map(TITULOS.map((titulo) => [titulo, { está: 0, falta: 0, fuera: 0, 'no aplica': 0 }]));
  const secciones: string[] = [];
  let completas = 0;
  const hoja = await createSheet<Renglon>({
    hoja: 'Expediente',
    columnas: [
      { header: 'No. Orden', tipo: 'texto', ancho: 20, valor: ({ venta }) => venta.numOrden },
      { header: 'Venta', tipo: 'texto', ancho: 20, valor: ({ venta }) => venta.marketId },
      { header: 'Mercado', tipo: 'texto', ancho: 14, valor: ({ venta }) => MERCADOS[venta.market].label },
      { header: 'Fecha', tipo: 'fechaHora', valor: ({ venta }) => venta.fechaCreacion },
      { header: 'Título', tipo: 'texto', ancho: 40, valor: ({ venta }) => venta.titulo },
      { header: 'Pagado', tipo: 'pesos', valor: ({ venta }) => venta.pagado },
      ...TITULOS.map((titulo, at) => ({
        header: titulo,
        tipo: 'texto' as const,
        ancho: 18,
        valor: ({ papeles }: Renglon) => EN_EXCEL[estadoOf(papeles[at]!)],
      })),
      {
        header: 'Qué falta',
        tipo: 'texto',
        ancho: 60,
        valor: ({ papeles }) => faltasOf(papeles, false).map(fraseOf).join('\n'),
      },
      {
        header: 'No se guarda aquí',
        tipo: 'texto',
        ancho: 40,
        valor: ({ papeles }) => faltasOf(papeles, true).map(fraseOf).join('\n'),
      },
      { header: 'Carpeta', tipo: 'texto', ancho: 24, valor: ({ carpeta }) => carpeta },
    ],
  });
  return {
    async add(renglon: Renglon, ficha: string): Promise<void> {
      for (const papel of renglon.papeles) cuenta.get(papel.titulo)![estadoOf(papel)] += 1;
      if (faltasOf(renglon.papeles, false).length === 0) completas += 1;
      secciones.push(flat(seccionOf(renglon, ficha, ventas <= ENTERAS).texto));
      await hoja.write(renglon);
    },
    /** Returns the parts of the page; `sueltos` are proofs of the document itself, where it has no sale. */
    page(sueltos: readonly PapelPuesto[]): string[] {
      const { antes, despues } = pagina(portada.titulo);
      return [
        antes,
        portadaOf(portada, ahora, secciones.length, completas, cuenta).texto,
        ...sueltos.map(
          (papel) =>
            html`<h3>${papel.titulo}</h3>
              ${listPapeles([papel])}`.texto,
        ),
        ...secciones,
        despues,
      ];
    },
    sheet: () => hoja.finish(),
  };
}

function portadaOf(
  { titulo, datos, nada }: Portada,
  ahora: Date,
  ventas: number,
  completas: number,
  cuenta: ReadonlyMap<string, Record<EstadoDePapel, number>>,
): Html {
  const dice =
    ventas === 0
      ? html`<p class="falta">${nada}</p>`
      : html`<p>
            <strong>${contados(completas, 'venta completa', 'ventas completas')} de ${writeCount(ventas)}.</strong> ${
              completas < ventas &&
              html`A las demás les falta lo que se dice en cada una; la página de la venta dice cómo conseguirlo.`
            }
          </p>
          ${tabla(
            ['Prueba', 'Está', 'Falta', 'No se guarda aquí', 'No aplica'],
            [...cuenta].map(([papel, { está, falta, fuera, 'no aplica': sin }]) => [papel, está, falta, fuera, sin]),
          )}`;
  return html`<h1>${titulo}</h1>
    <table>
      <tbody>
        ${datos.map(
          ([que, valor]) =>
            html`<tr>
              <th>${que}</th>
              <td>${valor}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    <p class="nota">
      Hecho el ${fechaHora(ahora)} con lo que está guardado; al hacerlo no se pidió nada afuera. La misma lista está en
      indice.xlsx.
    </p>
    ${dice}
    <h2>Ventas</h2> `;
}

function seccionOf({ venta, papeles, carpeta }: Renglon, ficha: string, entera: boolean): Html {
  const faltan = faltasOf(papeles, false).length;
  const otra = venta.marketId === venta.numOrden ? '' : ` (${venta.marketId})`;
  return html`<section class="venta">
    <h3>
      ${venta.numOrden}${otra} · ${MERCADOS[venta.market].label} · ${fechaHora(venta.fechaCreacion)} ·
      ${pesos(venta.pagado)}
    </h3>
    <p>${venta.titulo}</p>
    <p>
      ${faltan === 0 ? html`<strong>Completa.</strong>` : html`<strong class="falta">${faltan === 1 ? 'Falta 1 cosa.' : `Faltan ${writeCount(faltan)} cosas.`}</strong>`}
      Sus datos y papeles: ${enlaceA(ficha, ficha.slice(carpeta.length + 1))}
    </p>
    ${entera ? listPapeles(papeles) : resumenOf(papeles)}
  </section>`;
}

/** What is there and what is missing, in a few lines; how to get it stands in the page of the sale. */
function resumenOf(papeles: readonly PapelPuesto[]): Html {
  const estan = papeles.filter((papel) => estadoOf(papel) === 'está').map(({ titulo }) => titulo);
  const [faltan, fuera] = [faltasOf(papeles, false), faltasOf(papeles, true)];
  return html`<p>Está: ${estan.join(', ') || 'nada'}.</p>
    ${faltan.map(({ que }) => html`<p><span class="falta">falta: ${que}.</span></p>`)}${fuera.map(
      ({ que }) => html`<p><span class="fuera">falta: ${que}.</span> No se guarda aquí.</p>`,
    )}`;
}
