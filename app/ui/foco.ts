/** Fields to type in or choose from. Checkboxes and files are no place to begin. */
const FIELDS =
  'input:not([type="hidden"], [type="file"], [type="checkbox"], [type="radio"], [type="submit"], [type="button"], [readonly], :disabled), select:not(:disabled), textarea:not([readonly], :disabled)';
/** Buttons that act; 'No' alone may take the focus. */
const ACTS = 'button:not([data-no]), input[type="submit"], input[type="image"], summary';

const isSeen = (element: HTMLElement) => element.getClientRects().length > 0;

/** In the order of the page. */
export function fieldsIn(place: ParentNode): HTMLElement[] {
  return [...place.querySelectorAll<HTMLElement>(FIELDS)].filter(isSeen);
}

/** Returns the first empty field, among the required ones where some are marked. */
function firstEmpty(place: ParentNode): HTMLElement | undefined {
  const fields = fieldsIn(place);
  const asked = fields.filter((field) => field.hasAttribute('required'));
  return (asked.length > 0 ? asked : fields).find((field) => (field as HTMLInputElement).value === '');
}

/** The element that got the focus for want of a better one. A better place may take the focus from it. */
let lent: Element | null = null;

/** True where the focus is nowhere, or where we put it. */
export function isFocusFree(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || activeElement === lent;
}

/**
 * Moves the focus; but for `giveBackFocus`, no other code of ours does. The focus goes to fields, headings and links, and never to a button that acts, since a key meant for a field
 * would press it. The page does not scroll.
 */
export function focusOn(element: HTMLElement | null | undefined, { lend = false } = {}): boolean {
  if (!element || element.matches(ACTS)) return false;
  // A heading outside the Tab order still takes the focus.
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) element.tabIndex = -1;
  const before = lent;
  lent = lend ? element : null;
  element.focus({ preventScroll: true });
  if (document.activeElement === element) return true;
  lent = before;
  return false;
}

/** Gives a person's own focus to what took the place of the element that had it, which may be a button that acts: they had put the focus there themselves. */
export const giveBackFocus = (element: HTMLElement | null | undefined): void => element?.focus({ preventScroll: true });

/** Returns the title of a place, which can take the focus because Enter does nothing there. */
export function headingIn(place: ParentNode): HTMLElement | undefined {
  return [...place.querySelectorAll<HTMLElement>('h1, h2, h3, legend, caption')].find(isSeen);
}

/**
 * Puts the focus on the first error, else on the first empty field, else on the title. Under a thumb the title comes first, since a field would open the
 * keyboard.
 */
export function beginAt(place: ParentNode): void {
  const wrong = place.querySelector<HTMLElement>('[aria-invalid="true"]');
  const chosen = place.querySelector<HTMLElement>('[data-foco]');
  const empty = window.matchMedia('(pointer: fine)').matches ? (chosen ?? firstEmpty(place)) : undefined;
  focusOn(wrong ?? empty ?? headingIn(place));
}
