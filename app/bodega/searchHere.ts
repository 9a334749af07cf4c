import type { VentaVista } from '~/domain/compras/stock/bodega.server';
import type { PorRecibir } from '~/domain/compras/stock/devoluciones.server';
import { codeIn, parseCodigo, parseFolio } from '~/domain/compras/stock/pieza';
import { keepNote, recall, recallNote, type Recordado, remember } from './almacen';
import { openContar, showContar } from './conteo';
import { link, showEtiqueta } from './etiqueta';
import { boton, h } from './hacer';
import {
  openEach,
  openSeen,
  tell,
  openFromAddress,
  showConexion,
  show,
  clearAviso,
  takeInView,
  verNow,
  wasSeen,
} from './pantalla';
import { showPieza, showUnseen } from './pieza';
import { openEmpaque, showEmpaque } from './empaque';
import { addressToSignIn, falloOf, sendsSoFar } from './porEnviar';
import { type Leido, readFromServer, fetchPorRecibir, ServidorFalla, SinEntrar, SinSenal } from './red';
import { puesto } from './puesto';
import { showVenta } from './venta';

/** Shape of a folio; a text of this shape that is no folio was mistyped. */
const PARECE_FOLIO = /^dv[\s-]?\d/i;

/** Opens the record of a scanned or typed text, or links the label when a label is awaited. */
export async function searchHere(leido: string): Promise<void> {
  const dice = codeIn(leido).slice(0, 200);
  if (!dice) return;
  clearAviso();
  const [codigo, suya] = [parseCodigo(dice), puesto.ligando];
  puesto.ligando = undefined;
  if (suya && codigo) {
    if (await link(codigo, suya)) await open(suya);
    return;
  }
  await (takeInView(dice) ?? open(dice));
}

/** Opens the piece, label or sale that a text names. `byAddress`: the address of the page asks for it. */
export async function open(dice: string, byAddress = false): Promise<void> {
  const mia = ++puesto.opening;
  openFromAddress(byAddress);
  let found: Leido;
  let sends: number;
  do {
    // A press that arrives during the reading, as a label that was just linked, is missing from what was read.
    sends = sendsSoFar();
    try {
      found = await readFromServer(puesto.base, dice);
      if (found.clase === 'pieza') await remember(found.pieza);
      if (found.clase === 'venta')
        for (const texto of new Set([dice, found.venta.numero])) await keepNote(noteOf(texto), found.venta);
    } catch (error) {
      if (mia === puesto.opening) await openFromPhone(dice, error);
      return;
    }
    if (mia !== puesto.opening) return;
  } while (sends !== sendsSoFar());
  showConexion('bien');
  openSeen(undefined);
  const onOpen = (folio: string) => void open(folio);
  switch (found.clase) {
    case 'pieza':
      return showPieza(found.pieza);
    case 'etiqueta':
      return showEtiqueta(found.codigo, found.recientes, onOpen);
    case 'venta':
      return showVenta(found.venta, onOpen, () => void showInicio());
    case 'nada':
      return tell({
        tono: 'mal',
        texto:
          parseFolio(dice) || PARECE_FOLIO.test(dice)
            ? 'Ese folio no existe. Léelo otra vez en la etiqueta.'
            : `No hay pieza ni orden ${dice}.`,
      });
  }
}

/** Name of what a phone keeps of a sale that it has seen. */
const noteOf = (texto: string) => `venta:${texto}`;
const POR_RECIBIR = 'porRecibir';

/** Shows a record of the memory of the phone with its age. */
function showSeen<T>({ value, desde }: Recordado<T>, how: (value: T) => Promise<void>): Promise<void> {
  openSeen(desde);
  return how(value);
}

/** Opens a record from the memory of the phone, when the server does not answer. */
async function openFromPhone(dice: string, error: unknown): Promise<void> {
  if (error instanceof SinEntrar) return location.assign(addressToSignIn());
  if (!(error instanceof SinSenal || error instanceof ServidorFalla)) throw error;
  showConexion(falloOf(error));
  const [folio, codigo] = [parseFolio(dice), parseCodigo(dice)];
  const pieza = folio && (await recall(folio));
  if (pieza) return showSeen(pieza, showPieza);
  if (folio) return showUnseen(folio);
  if (codigo) return showEtiqueta(codigo, [], (suyo) => void open(suyo));
  const venta = await recallNote<VentaVista>(noteOf(dice));
  if (venta)
    return showSeen(venta, (value) =>
      showVenta(
        value,
        (suyo) => void open(suyo),
        () => void showInicio(),
      ),
    );
  const porque = error instanceof SinSenal ? 'Sin señal.' : (error.dice ?? 'El servidor falla.');
  tell({ tono: 'aviso', texto: `${porque} Por ahora solo se puede abrir un folio, o una orden que ya se vio aquí.` });
}

/** Opens what the address of the page says: after a reload, and after 'back'. */
export function openAddress(): Promise<void> {
  const ver = verNow();
  clearAviso();
  if (ver === '') return showInicio(true);
  return openEmpaque(ver) || openContar(ver) ? Promise.resolve() : open(ver, true);
}

function startPacking(): void {
  clearAviso();
  void showEmpaque();
}

function startCounting(): void {
  clearAviso();
  void showContar();
}

async function readPorRecibir(): Promise<PorRecibir | undefined> {
  openSeen(undefined);
  try {
    const found = await fetchPorRecibir(puesto.base);
    await keepNote(POR_RECIBIR, found);
    return found;
  } catch (error) {
    if (error instanceof SinEntrar) return undefined;
    const kept = await recallNote<PorRecibir>(POR_RECIBIR);
    openSeen(kept?.desde);
    return kept?.value;
  }
}

/** Shows the returns to receive, the start of a shift. Without an answer of the server those that were seen stand there, and else only the first words. */
export async function showInicio(byAddress = false): Promise<void> {
  const mia = ++puesto.opening;
  openFromAddress(byAddress);
  const porRecibir = await readPorRecibir();
  if (mia !== puesto.opening) return;
  let { total, ventas } = porRecibir ?? { total: 0, ventas: [] };
  await show({
    ver: '',
    paint: () => [
      h('p', {}, 'Escanea una etiqueta, o escribe su folio o el número de una orden.'),
      boton('Empacar', () => startPacking(), 'principal ancho'),
      boton('Contar', () => startCounting(), 'ancho'),
      ...(total > 0
        ? [
            h(
              'h2',
              { tabindex: '-1', class: 'lista' },
              total === 1 ? 'Por recibir: 1 devolución' : `Por recibir: ${total} devoluciones`,
            ),
            openEach(
              ventas.map(({ numero, titulo, porque }) => ({ clave: numero, nota: `${porque} · ${titulo}` })),
              (numero) => void open(numero),
            ),
          ]
        : []),
    ],
    async reread() {
      if (!wasSeen()) return false;
      const found = await fetchPorRecibir(puesto.base).catch(() => undefined);
      if (found) ({ total, ventas } = found);
      return found !== undefined;
    },
  });
}
