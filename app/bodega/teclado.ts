import { focusOn } from '~/ui/foco';

const ESCRIBE = 'input:not([type="radio"], [type="file"]), select, textarea, dialog, #camara';

/**
 * A scanner is a keyboard that types where nobody looks, and ends with Enter. What it types while no field is open is what somebody looks for, and never a press of the
 * button that has the focus.
 */
export function listen(texto: HTMLInputElement): void {
  document.addEventListener('keydown', ({ key, ctrlKey, metaKey, altKey, target }) => {
    if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return;
    if (document.querySelector('dialog[open]') || (target instanceof Element && target.closest(ESCRIBE))) return;
    texto.value = '';
    // The key that is on its way is typed there.
    focusOn(texto);
  });
}
