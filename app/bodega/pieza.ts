import { toInstant } from '~/core/time';
import {
  DE_AHI_NO_SALE,
  ESTADO_LABEL,
  ESTADO_TONO,
  type EstadoDeStock,
  isFinal,
  mayPass,
} from '~/domain/compras/stock/pieza';
import { type Pieza, remember } from './almacen';
import { requestEtiqueta } from './etiqueta';
import { retratos } from './fotos';
import { boton, h, ask } from './hacer';
import { show, repaint, titulo } from './pantalla';
import { type Hace, perform, listMine } from './porEnviar';
import { readFromServer } from './red';
import { puesto } from './puesto';

type Vista = { estado: EstadoDeStock; regresaA: EstadoDeStock | null; esperan: number; fotos: number };

/** Returns the state of a piece with the waiting presses applied. */
async function withWaiting(pieza: Pieza): Promise<Vista> {
  const suyas = (await listMine()).filter((una) => una.sobre === pieza.folio && una.estado === 'espera');
  const aTiempo = pieza.regresaHasta !== null && toInstant(pieza.regresaHasta).getTime() > Date.now();
  let [estado, regresaA] = [pieza.estado, aTiempo ? pieza.regresaA : null];
  for (const { que, campos } of suyas) {
    if (que === 'deshacer' && regresaA) [estado, regresaA] = [regresaA, null];
    if (que === 'surtir' || que === 'estado')
      [estado, regresaA] = [que === 'surtir' ? 'vendido' : (campos.estado as EstadoDeStock), estado];
  }
  return { estado, regresaA, esperan: suyas.length, fotos: suyas.filter(({ que }) => que === 'foto').length };
}

const chip = (estado: EstadoDeStock) => h('span', { class: `chip ${ESTADO_TONO[estado]}` }, ESTADO_LABEL[estado]);

/** Shows a piece with its photographs and next states. */
export function showPieza(pieza: Pieza): Promise<void> {
  let ahora = pieza;
  let readings = 0;
  return show({
    ver: pieza.folio,
    paint: () => contentOfPieza(ahora),
    async reread() {
      const mine = ++readings;
      const found = await readFromServer(puesto.base, pieza.folio).catch(() => undefined);
      // A later reading knows more presses.
      if (mine === readings && found?.clase === 'pieza') {
        ahora = found.pieza;
        await remember(ahora);
      }
      return true;
    },
  });
}

async function contentOfPieza(pieza: Pieza): Promise<HTMLElement[]> {
  const { estado, regresaA, esperan, fotos } = await withWaiting(pieza);
  const { id, folio, version } = pieza;
  const campos = { id, version: String(version) };
  const datos: [string, string | null][] = [
    ['Modelo', pieza.modelo],
    ['Proveedor', pieza.proveedor],
    ['Orden', pieza.orden],
    ['Sale en la orden', pieza.venta],
    ['Observaciones', pieza.observaciones],
    ['Etiqueta', pieza.etiquetas.join(', ')],
  ];
  const sobre: Sobre = { estado, campos, folio };
  return [
    titulo(folio),
    h('p', { class: 'nombre' }, pieza.nombre),
    h('p', {}, chip(estado), esperan > 0 && h('span', { class: 'chip aviso' }, 'Por enviar')),
    h('dl', {}, ...datos.flatMap(([dt, dd]) => (dd ? [h('dt', {}, dt), h('dd', {}, dd)] : []))),
    retratos(pieza, fotos),
    supply(sobre),
    regresaA ? undo(sobre, regresaA) : h('div', { hidden: true }),
    cambios(sobre, pieza.estados),
    boton('Ligar una etiqueta', () => void requestEtiqueta(folio), 'ancho'),
  ];
}

/**
 * Shows a piece that this phone never saw. Presses about the piece wait, and are asked again once the piece is seen.
 */
export function showUnseen(folio: string): Promise<void> {
  const sobre: Sobre = { estado: null, campos: {}, folio };
  return show({
    ver: folio,
    paint: () => [
      titulo(folio),
      h('p', { class: 'panel aviso' }, 'No se sabe cómo está. Lo que pidas se te pregunta otra vez al verla.'),
      supply(sobre),
      cambios(sobre, Object.keys(ESTADO_LABEL) as EstadoDeStock[]),
    ],
  });
}

type Sobre = { estado: EstadoDeStock | null; campos: Record<string, string>; folio: string };

/** Stores a press and draws the view at once, before the server has the press. */
const performAndRepaint = async (hace: Hace) => {
  if (await perform(hace)) await repaint();
};

/**
 * Returns a button for each next state, near the thumb. 'Vendido' is missing, because a piece is only sold to a sale.
 */
function cambios({ estado, campos, folio }: Sobre, orden: readonly EstadoDeStock[]): HTMLElement {
  const pasos = orden.filter((a) => a !== 'vendido' && (estado === null || mayPass(estado, a)));
  if (pasos.length === 0) return h('p', { class: 'nota' }, 'De este estatus no se pasa a otro.');
  return h(
    'section',
    { class: 'pasos', 'aria-label': 'Cambiar estatus' },
    ...pasos.map((a) =>
      boton(
        ESTADO_LABEL[a],
        () =>
          void pass(a, {
            que: 'estado',
            campos: { ...campos, estado: a },
            sobre: folio,
            dice: `${folio} pasa a «${ESTADO_LABEL[a]}»`,
            visto: estado && ESTADO_LABEL[estado],
          }),
      ),
    ),
  );
}

/** Asks before a final state, because thumbs slip. */
async function pass(a: EstadoDeStock, hace: Hace): Promise<void> {
  const texto = `¿Está seguro que desea pasar ${hace.sobre} a ${ESTADO_LABEL[a]}? ${DE_AHI_NO_SALE}`;
  if (isFinal(a) && !(await ask({ titulo: 'Cambiar el estatus', texto }))) return;
  await performAndRepaint(hace);
}

function undo({ estado, campos, folio }: Sobre, regresaA: EstadoDeStock): HTMLElement {
  return boton(
    `Deshacer: regresar a ${ESTADO_LABEL[regresaA]}`,
    () =>
      void performAndRepaint({
        que: 'deshacer',
        campos,
        sobre: folio,
        dice: `${folio} regresa a «${ESTADO_LABEL[regresaA]}»`,
        visto: estado && ESTADO_LABEL[estado],
      }),
    'ancho',
  );
}

function supply({ estado, campos, folio }: Sobre): HTMLElement {
  const venta = puesto.surtiendo;
  if (!venta || (estado && !mayPass(estado, 'vendido'))) return h('div', { hidden: true });
  return h(
    'div',
    { class: 'botones enteros' },
    boton(
      `Surtir en la orden ${venta}`,
      () =>
        void performAndRepaint({
          que: 'surtir',
          campos: { ...campos, venta },
          sobre: folio,
          dice: `${folio} sale en la orden ${venta}`,
          visto: estado && ESTADO_LABEL[estado],
        }),
      'principal',
    ),
    boton('Dejar de surtir', () => {
      puesto.surtiendo = undefined;
      void repaint();
    }),
  );
}
