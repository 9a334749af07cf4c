import { direccionOfFoto } from '~/domain/compras/catalogo/fotos';
import { codeIn, parseCodigo, parseFolio } from '~/domain/compras/stock/pieza';
import {
  FALTA_LABEL,
  FALTAS,
  isFull,
  isPacked,
  lacksCodigo,
  type LineaDePaquete,
  type MotivoDeFalta,
  readLectura,
  SIN_CODIGO,
} from '~/domain/compras/stock/empaque';
import { printPdf } from '~/ui/printPdf';
import { keepNote, type Hecho } from './almacen';
import { ask, boton, h } from './hacer';
import { readOrRecall } from './leido';
import { clearAviso, openEach, openFromAddress, show, tell, titulo } from './pantalla';
import { listMine, onPacked, perform, sendsSoFar } from './porEnviar';
import { puesto } from './puesto';
import { fetchPaquete, fetchPorEmpacar, type Paquete, type PorEmpacar } from './red';
import { soundOf } from './sonido';

/** Text of the address of the parcels to pack; a parcel adds its number. */
const EMPACAR = 'empacar';
const LISTA = 'empaque';
const noteOf = (numero: string) => `paquete:${numero}`;

/** Opens what an address of packing names. Returns whether the text was such an address. */
export function openEmpaque(ver: string): boolean {
  if (ver === EMPACAR) void showEmpaque(true);
  else if (ver.startsWith(`${EMPACAR} `)) void openPaquete(ver.slice(EMPACAR.length + 1), true);
  else return false;
  return true;
}

/** Shows the parcels to pack. A scan opens the parcel that it names. */
export async function showEmpaque(byAddress = false): Promise<void> {
  const mia = ++puesto.opening;
  openFromAddress(byAddress);
  const lista = await readOrRecall<PorEmpacar>(() => fetchPorEmpacar(puesto.base), LISTA);
  if (mia !== puesto.opening) return;
  await show({
    ver: EMPACAR,
    // A label of ours names a piece, and no parcel.
    take: (dice) => (parseFolio(dice) || parseCodigo(dice) ? undefined : openPaquete(dice)),
    paint: () =>
      lista
        ? [
            titulo(lista.total === 1 ? 'Por empacar: 1 paquete' : `Por empacar: ${lista.total} paquetes`),
            h('p', {}, lista.total > 0 ? 'Escanea el paquete, o ábrelo aquí.' : 'No queda nada por empacar.'),
            openEach(
              lista.paquetes.map(({ numero, titulo: nombre, leidas, falta }) => ({
                clave: numero,
                nota: [falta ? 'Falta una pieza' : leidas > 0 && 'Abierto', nombre].filter(Boolean).join(' · '),
              })),
              (numero) => void openPaquete(numero),
            ),
            h('a', { class: 'boton ancho', href: puesto.base }, 'Dejar de empacar'),
          ]
        : [titulo('Por empacar'), h('p', {}, 'Sin señal no se sabe qué falta por empacar.')],
  });
}

/** Adds what waits on this phone to a parcel as the server has it. */
async function withWaiting(paquete: Paquete): Promise<Paquete> {
  for (const { que, campos, estado } of await listMine()) {
    if (campos.paquete !== paquete.id || estado !== 'espera') continue;
    const linea = paquete.lineas.find(
      ({ orden, posicion }) => orden === campos.orden && String(posicion) === campos.posicion,
    );
    if (linea && que === 'empacar') linea.lecturas.push(campos.codigo!);
    if (linea && que === 'faltar') linea.falta = campos.motivo as MotivoDeFalta;
  }
  return paquete;
}

/** Opens the parcel that a text names, with what was read into it. */
export async function openPaquete(dice: string, byAddress = false): Promise<void> {
  const texto = codeIn(dice);
  const mia = ++puesto.opening;
  openFromAddress(byAddress);
  const found = await readOrRecall<Paquete>(() => fetchPaquete(puesto.base, texto), noteOf(texto));
  if (mia !== puesto.opening) return;
  if (!found) {
    soundOf('mal');
    return tell({ tono: 'mal', texto: `No se puede abrir el paquete ${texto}.` });
  }
  if (found.impide !== null || found.terminado) {
    if (!found.terminado) soundOf('mal');
    const reprint = found.guia
      ? [boton(found.zpl ? 'Descargar su ZPL' : 'Imprimir la guía', () => printGuia(found.guia!, found.zpl))]
      : [];
    await showEmpaque();
    return found.terminado
      ? tell({ tono: 'aviso', texto: `El paquete ${found.numero} ya se empacó.` }, ...reprint)
      : tell({ tono: 'mal', texto: found.impide! });
  }
  await showPaquete(await withWaiting(found));
}

async function showPaquete(paquete: Paquete): Promise<void> {
  const { numero } = paquete;
  let ahora = paquete;
  let acts = 0;

  async function put(linea: LineaDePaquete, codigo: string): Promise<void> {
    const { orden, posicion, nombre } = linea;
    linea.lecturas.push(codigo);
    acts++;
    const clave = await perform({
      que: 'empacar',
      campos: { paquete: ahora.id, orden, posicion: String(posicion), codigo },
      sobre: numero,
      dice: `${nombre} va en el paquete ${numero}`,
    });
    if (clave === undefined) return void linea.lecturas.pop();
    clearAviso();
    soundOf('ok');
    if (!isPacked(ahora.lineas)) return paintAgain();
    tell({ tono: 'ok', texto: `Paquete ${numero} completo. La guía se imprime sola.` });
    await openNext(numero);
  }
  async function miss({ orden, posicion, nombre }: LineaDePaquete, motivo: MotivoDeFalta): Promise<void> {
    acts++;
    const clave = await perform({
      que: 'faltar',
      campos: { paquete: ahora.id, orden, posicion: String(posicion), motivo },
      sobre: numero,
      dice: `Falta ${nombre} en el paquete ${numero}: ${FALTA_LABEL[motivo]}`,
    });
    if (clave !== undefined) await openNext(numero);
  }
  async function take(dice: string): Promise<void> {
    if (codeIn(dice) === numero) return clearAviso();
    const lectura = readLectura(ahora.lineas, dice);
    if (lectura.clase === 'linea') return put(lectura.linea, lectura.codigo);
    soundOf('mal');
    tell({ tono: 'mal', texto: lectura.dice });
  }
  const view = {
    ver: `${EMPACAR} ${numero}`,
    take,
    paint: () => [
      titulo(`Paquete ${numero}`),
      h('p', { class: 'nota' }, 'Escanea cada pieza. La última cierra el paquete e imprime su guía.'),
      ...ahora.lineas.map((linea) =>
        contentOfLinea(
          linea,
          () => void put(linea, SIN_CODIGO),
          (motivo) => void miss(linea, motivo),
        ),
      ),
      boton('Dejarlo para después', () => void showEmpaque(), 'ancho'),
    ],
    async reread() {
      const [before, sends] = [acts, sendsSoFar()];
      const found = await fetchPaquete(puesto.base, numero).catch(() => undefined);
      if (!found) return false;
      await keepNote(noteOf(numero), found);
      const suyo = await withWaiting(found);
      // A piece that was read meanwhile is missing from what the server told.
      if (before !== acts || sends !== sendsSoFar()) return false;
      ahora = suyo;
      return true;
    },
  };
  const paintAgain = () => show(view);
  await paintAgain();
}

function contentOfLinea(
  linea: LineaDePaquete,
  onHand: () => void,
  onMiss: (motivo: MotivoDeFalta) => void,
): HTMLElement {
  const { orden, posicion, nombre, foto, cantidad, lecturas, falta } = linea;
  const full = isFull(linea);
  const byHand = async () => {
    if (await ask({ titulo: 'La pieza no tiene código', texto: `¿Es la de la imagen? ${nombre}` })) onHand();
  };
  return h(
    'article',
    { class: full ? 'linea lista' : 'linea', 'aria-label': nombre },
    foto === null
      ? h('span', { class: 'retrato', 'aria-hidden': 'true' }, dibujo())
      : h('img', { class: 'retrato', src: direccionOfFoto(foto), alt: '', width: '96', height: '96' }),
    h(
      'div',
      {},
      h('p', { class: 'nombre' }, nombre),
      h(
        'p',
        {},
        h('span', { class: full ? 'chip ok' : 'chip' }, `${lecturas.length} de ${cantidad}`),
        falta !== null && h('span', { class: 'chip mal' }, `Falta: ${FALTA_LABEL[falta]}`),
      ),
    ),
    !full && lacksCodigo(linea) && boton('No tiene código: es la de la imagen', () => void byHand(), 'ancho'),
    !full &&
      h(
        'details',
        { 'data-parte': `falta ${orden} ${posicion}` },
        h('summary', {}, 'Falta'),
        h('div', { class: 'botones' }, ...FALTAS.map((motivo) => boton(FALTA_LABEL[motivo], () => onMiss(motivo)))),
      ),
  );
}

/** Draws a box, in the place of a picture that we do not have. */
function dibujo(): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', 'M3 8l9-4 9 4v8l-9 4-9-4zM3 8l9 4 9-4M12 12v8');
  svg.append(path);
  return svg;
}

/** Opens the next parcel to pack that misses nothing, or the list when there is none. */
async function openNext(hecho: string): Promise<void> {
  const mia = ++puesto.opening;
  const lista = await readOrRecall<PorEmpacar>(() => fetchPorEmpacar(puesto.base), LISTA);
  if (mia !== puesto.opening) return;
  // The server may not have the last piece yet, and a phone without signal keeps an older list.
  const paquetes = (lista?.paquetes ?? []).filter(({ numero }) => numero !== hecho);
  await keepNote(LISTA, { total: paquetes.length, paquetes });
  const next = paquetes.find(({ falta }) => !falta);
  return next ? openPaquete(next.numero) : showEmpaque();
}

/** Prints a label. The frame of a ZPL is saved as a file by the browser, which prints nothing of it. */
const printGuia = (id: string, zpl: boolean | undefined) =>
  printPdf(`${puesto.base.replace(/bodega$/, 'descargas/guia')}/${id}${zpl ? '?formato=zpl' : ''}`, 'Guía');

/** Times that the label is asked for, and the pause between, in ms: a marketplace answers within a minute. */
const MIRADAS = 30;
const PAUSA_MS = 2_000;

/** Prints the label of a parcel that was packed, as soon as the marketplace gave it. */
async function printWhenReady({ numero, ...given }: NonNullable<Hecho['paquete']>): Promise<void> {
  let { guia: id, zpl } = given;
  for (let mirada = 0; id === null && mirada < MIRADAS; mirada++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSA_MS));
    const found = await fetchPaquete(puesto.base, numero).catch(() => undefined);
    [id, zpl] = [found?.guia ?? null, found?.zpl ?? false];
  }
  if (id === null)
    return tell({
      tono: 'mal',
      texto: `La guía del paquete ${numero} no ha llegado: no se imprimió. Escanea el paquete otra vez para imprimirla.`,
    });
  const [suya, enZpl] = [id, zpl];
  printGuia(suya, enZpl);
  tell(
    { tono: 'ok', texto: `Paquete ${numero} completo.${enZpl ? ' Su guía se descargó en ZPL.' : ''}` },
    boton(enZpl ? 'Descargar su ZPL otra vez' : 'Imprimir la guía otra vez', () => printGuia(suya, enZpl)),
  );
}

onPacked((paquete) => void printWhenReady(paquete));
