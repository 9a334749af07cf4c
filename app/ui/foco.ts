/** What somebody types in or chooses from. Boxes and files are no place to begin at. */
const FIELDS =
  'input:not([type="hidden"], [type="file"], [type="checkbox"], [type="radio"], [type="submit"], [type="button"], [readonly], :disabled), select:not(:disabled), textarea:not([readonly], :disabled)';
/** 'No' is the one button that may wait for a key. */
const ACTS = 'button:not([data-no]), input[type="submit"], input[type="image"], summary';

const isSeen = (element: HTMLElement) => element.getClientRects().length > 0;

/** In the order of the page. */
export function fieldsIn(place: ParentNode): HTMLElement[] {
  return [...place.querySelectorAll<HTMLElement>(FIELDS)].filter(isSeen);
}

/** What still has to be given: of those that are marked as required where some are. */
function firstEmpty(place: ParentNode): HTMLElement | undefined {
  const fields = fieldsIn(place);
  const asked = fields.filter((field) => field.hasAttribute('required'));
  return (asked.length > 0 ? asked : fields).find((field) => (field as HTMLInputElement).value === '');
}

/** Where the keyboard was put for want of a better place. Whoever has one takes it from there. */
let lent: Element | null = null;

/** Nobody is anywhere, or only where we put them. */
export function isFocusFree(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || activeElement === lent;
}

/**
 * The only way in which a script moves the focus. It goes to fields, headings and links, and never to what acts: a key that was meant for a field
 * would press it. The page does not move.
 */
export function focusOn(element: HTMLElement | null | undefined, { lend = false } = {}): boolean {
  if (!element || element.matches(ACTS)) return false;
  // A heading that nobody can reach by Tab still takes the focus.
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  if (document.activeElement !== element) return false;
  lent = lend ? element : null;
  return true;
}

/** Its title, to be read and heard: an Enter there does nothing. */
export function headingIn(place: ParentNode): HTMLElement | undefined {
  return [...place.querySelectorAll<HTMLElement>('h1, h2, h3, legend, caption')].find(isSeen);
}

/** What is wrong comes first, then what is empty, then the title. Whoever touches the screen opens a field by touching it: a focus only brings the keyboard up. */
export function beginAt(place: ParentNode): void {
  const wrong = place.querySelector<HTMLElement>('[aria-invalid="true"]');
  const chosen = place.querySelector<HTMLElement>('[data-foco]');
  const empty = window.matchMedia('(pointer: fine)').matches ? (chosen ?? firstEmpty(place)) : undefined;
  focusOn(wrong ?? empty ?? headingIn(place));
}
