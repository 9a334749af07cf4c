/** Keys in flight when something comes on the screen are lost and not obeyed. */
export const IN_FLIGHT_MS = 400;

/** Returns the button that Ctrl+Enter presses: the one that the form marks, else its only one. */
function primaryOf(place: Element): HTMLElement | undefined {
  const named = [...place.querySelectorAll<HTMLElement>('[data-principal]:not(:disabled)')];
  if (named.length > 0) return named.length === 1 ? named[0] : undefined;
  if (!(place instanceof HTMLFormElement) || place.method !== 'post') return undefined;
  const buttons = [...place.elements].filter(
    (element): element is HTMLButtonElement =>
      element instanceof HTMLButtonElement &&
      element.type === 'submit' &&
      !element.disabled &&
      !element.hidden &&
      !element.classList.contains('oculto'),
  );
  return buttons.length === 1 ? buttons[0] : undefined;
}

/** Ctrl+Enter (Cmd+Enter) presses the primary button of the form one is in, else of the dialog or the page. A key that is held counts once. */
export function pressPrimary(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
  event.preventDefault();
  if (event.repeat || !(event.target instanceof Element)) return;
  const place =
    event.target.closest('form') ?? document.querySelector('dialog:modal') ?? document.querySelector('main');
  // A dialog's question handles its own keys.
  if (!place || place.closest('[role="alertdialog"]') || place.querySelector('dialog:modal')) return;
  primaryOf(place)?.click();
}

/** Where Enter sends the form. On a button, or on a file to choose, it is meant. */
const SENDS = 'select, input:not([type="submit"], [type="button"], [type="image"], [type="reset"], [type="file"])';

/** Keeps Enter in a field from sending a form that asks before it acts (`SinEnter`). */
export function holdEnter(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || !(event.target instanceof Element)) return;
  const { form } = event.target as Partial<HTMLInputElement>;
  if (form && event.target.matches(SENDS) && [...form.elements].some((one) => one.matches('[data-sin-enter]')))
    event.preventDefault();
}

/** True for a key that was pressed before the current content was on the screen; it does nothing. `shownAt` is on the clock of events. */
export const isInFlight = (event: { timeStamp: number }, shownAt: number) => event.timeStamp < shownAt + IN_FLIGHT_MS;
