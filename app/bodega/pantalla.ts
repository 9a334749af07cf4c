import { focusOn, giveBackFocus } from '~/ui/foco';
import { afterPress, isPressed } from '~/ui/press';
import { h } from './hacer';

/** A message to the person. */
export type Aviso = { tono: 'ok' | 'mal' | 'aviso'; texto: string };

/** Returns the element of the page with this id. */
export const uno = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const vista = uno('vista');
const lugarDeAviso = uno('aviso');

const waiting: (() => void)[] = [];
/**
 * Makes a change of the page that may move or replace buttons. While a button is down the change waits for its press: a
 * press that ends over something else is lost.
 */
export function place(change: () => void): void {
  if (waiting.length === 0 && !isPressed()) return change();
  waiting.push(change);
  if (waiting.length > 1) return;
  afterPress(() => {
    for (const suya of waiting.splice(0)) suya();
  });
}

/** Shows a message in place of the message before. */
export function tell({ tono, texto }: Aviso, ...mas: HTMLElement[]): void {
  place(() => lugarDeAviso.replaceChildren(h('p', { class: `panel ${tono}` }, texto), ...mas));
}
/** Removes the message. */
export const clearAviso = () => place(() => lugarDeAviso.replaceChildren());

/** Time during which a view that changed by itself takes no press. */
const QUIETA_MS = 400;

/**
 * The view on the screen. `reread` asks the server for the present state, where the state can change; false when there is nothing to draw anew. `ver` is the
 * text that opens the view again: the address of the page carries it, so that reload and back keep the place. An empty `ver` is the start; a view without
 * `ver` leaves the address as it was. `take` is what a scan means while the view stands; without `take` a scan is looked for.
 */
type Vista = {
  paint(): HTMLElement[] | Promise<HTMLElement[]>;
  reread?(): Promise<boolean>;
  ver?: string;
  take?(dice: string): Promise<void> | undefined;
};
let actual: Vista | undefined;
/** Moment at which the server told what the view on the screen shows, in ms; undefined while the view is what the server tells now. */
let visto: number | undefined;
let nextSeen: number | undefined;
/** Says that the next view is one that this phone kept, and since when. */
export const openSeen = (desde: number | undefined) => void (nextSeen = desde);

/** True while the view on the screen is one that this phone kept. */
export const wasSeen = () => visto !== undefined;

/** Writes how long ago the view on the screen was seen, below its title. */
function writeAge(): void {
  document.getElementById('visto')?.remove();
  if (visto === undefined) return;
  const minutes = Math.floor((Date.now() - visto) / 60_000);
  const hace =
    minutes < 1 ? 'hace menos de 1 min' : minutes < 60 ? `hace ${minutes} min` : `hace ${Math.floor(minutes / 60)} h`;
  const linea = h('p', { id: 'visto', class: 'panel aviso' }, `Visto ${hace}`);
  const cabeza = vista.querySelector('h2');
  if (cabeza) cabeza.after(linea);
  else vista.prepend(linea);
}
/** Each minute the age is a minute more. */
setInterval(() => visto !== undefined && place(writeAge), 60_000);

/** Field of the address that says what is open. */
const VER = 'ver';
/** Returns the text that the address of the page opens; empty for the start. */
export const verNow = (): string => new URLSearchParams(location.search).get(VER) ?? '';

let fromAddress = false;
/** Says whether the next view is opened by the address itself: its view corrects the spelling of the address and adds no step to the history. */
export const openFromAddress = (yes: boolean) => void (fromAddress = yes);

function keepPlace(ver: string): void {
  if (ver === verNow()) return;
  const address =
    ver === '' ? location.pathname : `${location.pathname}?${String(new URLSearchParams({ [VER]: ver }))}`;
  if (fromAddress) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
}

/**
 * Draws a view, unless the person has opened another view meanwhile; returns whether the view was drawn. Answers arrive between the presses of a quick thumb:
 * a button that is down stays until its press is made.
 */
async function draw(suya: Vista): Promise<boolean> {
  let hijos = await suya.paint();
  while (actual === suya && isPressed(vista)) {
    await new Promise<void>(afterPress);
    hijos = await suya.paint();
  }
  if (actual !== suya) return false;
  const abiertas = new Set(partes('details[open]').map(({ dataset }) => dataset.parte));
  vista.replaceChildren(...hijos);
  for (const parte of partes('details')) if (abiertas.has(parte.dataset.parte)) parte.setAttribute('open', '');
  writeAge();
  return true;
}

/** Returns the parts of the view that carry a name. What a person opened is told by it from one drawing to the next. */
const partes = (which: string) => [...vista.querySelectorAll<HTMLElement>(`${which}[data-parte]`)];

/** Returns what a person can press in the view, each with a text that is the same after the view is drawn again. */
const pressable = () =>
  [...vista.querySelectorAll<HTMLElement>('button, a, summary')].map((element) => ({
    element,
    // The summary of a part may hold a count.
    texto: `${element.closest<HTMLElement>('[data-parte]')?.dataset.parte ?? ''} ${element.tagName === 'SUMMARY' ? '' : element.textContent}`,
  }));

/** Shows a view from its top, with the focus on its title. */
export async function show(suya: Vista): Promise<void> {
  actual = suya;
  [visto, nextSeen] = [nextSeen, undefined];
  if (suya.ver !== undefined) keepPlace(suya.ver);
  if (!(await draw(suya))) return;
  window.scrollTo(0, 0);
  // A half typed scan keeps the focus and goes on.
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement && activeElement.id === 'texto' && activeElement.value !== '') return;
  focusOn(vista.querySelector('h2'));
}

/**
 * Draws the present view again with the presses made since. What was open stays open. The focus stays where it was, or moves to the title of the view
 * when the focused element is gone.
 */
export async function repaint(): Promise<void> {
  if (!actual) return;
  const tenia = vista.contains(document.activeElement);
  const before = pressable().find(({ element }) => element === document.activeElement)?.texto;
  if (!(await draw(actual)) || !tenia) return;
  const same = pressable().find(({ texto }) => texto === before);
  if (same) giveBackFocus(same.element);
  else focusOn(vista.querySelector('h2'));
}

/** Reads the present view again from the server, and draws the view. */
export async function rereadView(): Promise<void> {
  const suya = actual;
  if (!suya?.reread) return;
  if (!(await suya.reread()) || actual !== suya) return;
  if (conexion === 'bien') visto = undefined;
  const antes = vista.textContent;
  await repaint();
  // New content appears under a thumb on its way to something else, so presses are ignored for a moment.
  if (vista.textContent === antes) return;
  vista.classList.add('recien');
  setTimeout(() => vista.classList.remove('recien'), QUIETA_MS);
}

/** Hands a scan to the view that stands; returns undefined where the view has no use for scans. */
export const takeInView = (dice: string): Promise<void> | undefined => actual?.take?.(dice);

/** Makes the title of a view; the title can take the focus. */
export const titulo = (texto: string) => h('h2', { tabindex: '-1' }, texto);

/** Returns a list of pieces or sales: a button for each, with a note under its number. */
export const openEach = (
  cosas: readonly { clave: string; dice?: string; nota?: string }[],
  onOpen: (clave: string) => void,
) =>
  h(
    'ul',
    { class: 'piezas' },
    ...cosas.map(({ clave, dice = clave, nota }) =>
      h(
        'li',
        {},
        h(
          'button',
          { type: 'button', click: () => onOpen(clave) },
          h('span', {}, dice),
          ' ',
          nota !== undefined && h('span', { class: 'nota' }, nota),
        ),
      ),
    ),
  );

export type Conexion = 'bien' | 'sinSenal' | 'falla';
let conexion: Conexion = 'bien';
const DICE: Record<Exclude<Conexion, 'bien'>, { corto: string; largo: string }> = {
  sinSenal: {
    corto: 'Sin señal',
    largo: 'Lo que hagas se guarda aquí y se envía solo cuando vuelva.',
  },
  falla: {
    corto: 'El servidor falla',
    largo:
      'Hay señal. Lo que hagas se guarda aquí y se intenta cada 15 segundos. Si sigue así, avisa a quien administra.',
  },
};

/** Returns the state of the connection as last shown. */
export const conexionNow = () => conexion;

/**
 * Shows the state of the connection. People wait for a signal by themselves, and report a failing server, so both
 * states have words of their own.
 */
export function showConexion(como: Conexion): void {
  conexion = como;
  place(() => {
    const senal = uno('senal');
    senal.hidden = como === 'bien';
    senal.className = como === 'falla' ? 'chip mal' : 'chip aviso';
    senal.textContent = como === 'bien' ? '' : DICE[como].corto;
    const lugar = uno('conexion');
    lugar.hidden = como === 'bien';
    if (como !== 'bien') uno('conexion-dice').textContent = DICE[como].largo;
  });
}
