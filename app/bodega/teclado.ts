import { focusOn } from '~/ui/foco';

const ESCRIBE = 'input:not([type="radio"], [type="file"]), select, textarea, dialog, #camara';

/**
 * Sends keys typed outside any field to the search field. A scanner is a keyboard that types anywhere and ends with
 * Enter, so its text must never press the focused button.
 */
export function listen(texto: HTMLInputElement): void {
  document.addEventListener('keydown', ({ key, ctrlKey, metaKey, altKey, target }) => {
    if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return;
    if (document.querySelector('dialog[open]') || (target instanceof Element && target.closest(ESCRIBE))) return;
    texto.value = '';
    // The browser then types this key into the focused field.
    focusOn(texto);
  });
}
