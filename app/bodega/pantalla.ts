import { focusOn } from '~/ui/foco';
import { h } from './hacer';

/** `folios`: of what was made, to be opened. */
export type Aviso = { tono: 'ok' | 'mal' | 'aviso'; texto: string; folios?: readonly string[] | undefined };

export const uno = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const vista = uno('vista');
const lugarDeAviso = uno('aviso');

export function tell({ tono, texto }: Aviso, ...mas: HTMLElement[]): void {
  lugarDeAviso.replaceChildren(h('p', { class: `panel ${tono}` }, texto), ...mas);
}
export const sinAviso = () => lugarDeAviso.replaceChildren();

/** For how long nothing is pressed of what has just changed by itself. */
const QUIETA_MS = 400;

/** What is before the person's eyes. `relee` asks the server how it is by now, where that can change. */
type Vista = { pinta(): HTMLElement[] | Promise<HTMLElement[]>; relee?(): Promise<void> };
let actual: Vista | undefined;

/** What was slow to draw is not laid over what somebody opened meanwhile. */
async function dibuja(suya: Vista): Promise<boolean> {
  const hijos = await suya.pinta();
  if (actual !== suya) return false;
  vista.replaceChildren(...hijos);
  return true;
}

export async function show(suya: Vista): Promise<void> {
  actual = suya;
  if (!(await dibuja(suya))) return;
  window.scrollTo(0, 0);
  // A scan that is half typed goes on where it began.
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement && activeElement.id === 'texto' && activeElement.value !== '') return;
  focusOn(vista.querySelector('h2'));
}

/** The same thing with what was pressed since. The focus stays in the view: on its title, where what had it is gone. */
export async function repaint(): Promise<void> {
  const tenia = vista.contains(document.activeElement);
  if (actual && (await dibuja(actual)) && tenia) focusOn(vista.querySelector('h2'));
}

/** The same thing as the server has it by now. */
export async function otraVez(): Promise<void> {
  const suya = actual;
  if (!suya?.relee) return;
  await suya.relee();
  if (actual !== suya) return;
  const antes = vista.textContent;
  await repaint();
  // What came from elsewhere lies under a thumb that was on its way to something else.
  if (vista.textContent === antes) return;
  vista.classList.add('recien');
  setTimeout(() => vista.classList.remove('recien'), QUIETA_MS);
}

export const titulo = (texto: string) => h('h2', { tabindex: '-1' }, texto);

/** Pieces, or sales, each a button that says under its number what it is. */
export const openEach = (
  cosas: readonly { clave: string; dice?: string; nota?: string }[],
  abre: (clave: string) => void,
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
          { type: 'button', click: () => abre(clave) },
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

export const comoEsta = () => conexion;

/** Whether somebody answers at the other end, and if not, whose fault that is: one waits for a signal, and tells a person of a server. */
export function connects(como: Conexion): void {
  conexion = como;
  const senal = uno('senal');
  senal.hidden = como === 'bien';
  senal.className = como === 'falla' ? 'chip mal' : 'chip aviso';
  senal.textContent = como === 'bien' ? '' : DICE[como].corto;
  const lugar = uno('conexion');
  lugar.hidden = como === 'bien';
  if (como !== 'bien') uno('conexion-dice').textContent = DICE[como].largo;
}
