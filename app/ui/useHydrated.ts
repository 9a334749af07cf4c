import { useSyncExternalStore } from 'react';

/** The time in which a touch that has ended becomes a click, in ms. */
const CLICK_MS = 350;

let answered = false;

/**
 * A press makes React hydrate the page at once. An element that hydration replaced between the press and its release would get no click, so the page
 * stays as the server wrote it until the click has come.
 */
function onAnswered(tell: () => void): () => void {
  if (answered) return () => {};
  const end = () => {
    answered = true;
    tell();
  };
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const within = (ms: number) => () => {
    clearTimeout(waiting);
    waiting = setTimeout(end, ms);
  };
  const released = within(CLICK_MS);
  const clicked = within(0);
  addEventListener('pointerup', released, true);
  addEventListener('pointercancel', clicked, true);
  addEventListener('dragend', clicked, true);
  addEventListener('click', clicked, true);
  return () => {
    clearTimeout(waiting);
    removeEventListener('pointerup', released, true);
    removeEventListener('pointercancel', clicked, true);
    removeEventListener('dragend', clicked, true);
    removeEventListener('click', clicked, true);
  };
}

function isAnswered(): boolean {
  answered ||= document.querySelector('body :active') === null;
  return answered;
}

/**
 * Returns false on the server, in the first render, and while the press that began on the served page lasts; true afterwards: for parts that need
 * JavaScript.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(onAnswered, isAnswered, () => false);
}
