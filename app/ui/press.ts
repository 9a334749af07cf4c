/** The time in which a touch that has ended becomes a click, in ms. */
const CLICK_MS = 350;
/** How often a press is looked for whose end no event told, as where the pointer left the window, in ms. */
const LOOK_MS = 200;

/** When a press ended whose click has not come yet, in ms of the page. React may hydrate between the two, and nothing is `:active`. A key presses likewise. */
let endedAt = -Infinity;
if (!import.meta.env.SSR) {
  const ends = () => (endedAt = performance.now());
  addEventListener('pointerup', ends, true);
  // A key in a field presses nothing: a scanner ends what it types with Enter.
  const presses = ({ key, target }: KeyboardEvent) =>
    (key === 'Enter' || key === ' ') && target instanceof Element && target.closest('a[href],button,summary') !== null;
  addEventListener('keydown', (event) => presses(event) && ends(), true);
  // As the click bubbles out of the page: whoever hears it before still finds what was pressed, and nobody waits afterwards.
  addEventListener('click', () => (endedAt = -Infinity));
}

/** Returns whether a finger, a mouse button or a key is down on something within an element, or has just been and its click is still to come. */
export const isPressed = (within: Element = document.body): boolean =>
  performance.now() - endedAt < CLICK_MS || within.querySelector(':active') !== null;

/**
 * Calls `then` once the press under way had its click. An element that is replaced between a press and its release gets no click, so whoever replaces
 * elements by themselves waits for it. Returns the function that gives up waiting.
 */
export function afterPress(then: () => void): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const within = (ms: number) => () => {
    clearTimeout(waiting);
    waiting = setTimeout(end, ms);
  };
  // The click as it leaves the page: also heard by who begins to wait inside the click itself.
  const ends = [
    ['pointerup', within(CLICK_MS), true],
    ['pointercancel', within(0), true],
    ['dragend', within(0), true],
    ['click', within(0), false],
  ] as const;
  const look = setInterval(() => {
    if (!isPressed()) waiting ??= setTimeout(end, CLICK_MS);
  }, LOOK_MS);
  const stop = () => {
    clearInterval(look);
    clearTimeout(waiting);
    for (const [type, listener, capture] of ends) removeEventListener(type, listener, capture);
  };
  const end = () => {
    stop();
    then();
  };
  for (const [type, listener, capture] of ends) addEventListener(type, listener, capture);
  return stop;
}
