import { toInstant } from '~/core/time';
import { focusOn } from '~/ui/foco';

type Hijo = Node | string | null | undefined | false;
type Dichos = Record<string, string | boolean | undefined | ((event: Event) => void)>;

/**
 * Makes an element. A function among the attributes is a listener of the event with its key. Children that are text
 * stay text, never HTML.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  dichos: Dichos = {},
  ...hijos: Hijo[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(dichos)) {
    if (typeof value === 'function') element.addEventListener(key, value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...hijos.filter((hijo): hijo is Node | string => Boolean(hijo)));
  return element;
}

/** Makes a button. */
export const boton = (texto: string, click: () => void, clase = '') =>
  h('button', { type: 'button', class: clase, click }, texto);

/** Asks a question over the page, with the focus on 'No'; resolves to true for a yes. */
export function ask({ titulo, texto }: { titulo: string; texto: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const no = h('button', { type: 'button', 'data-no': true, click: () => dialogo.close() }, 'No');
    const dialogo = h(
      'dialog',
      {
        'aria-labelledby': 'pregunta',
        close: () => {
          dialogo.remove();
          resolve(dialogo.returnValue === 'si');
        },
      },
      h('h2', { id: 'pregunta' }, titulo),
      h('p', {}, texto),
      h(
        'div',
        { class: 'botones' },
        no,
        boton('Si', () => dialogo.close('si'), 'principal'),
      ),
    );
    document.body.append(dialogo);
    dialogo.showModal();
    focusOn(no);
  });
}

/** Returns day and hour in the zone of the business. */
export function hora(instante: string | number): string {
  return new Intl.DateTimeFormat('es-MX', {
    day: '2-digit',
    month: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: document.documentElement.dataset.zona,
  }).format(toInstant(instante));
}
