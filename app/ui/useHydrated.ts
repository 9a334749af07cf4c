import { useSyncExternalStore } from 'react';
import { afterPress, isPressed } from './press';

let answered = false;

/** A press makes React hydrate the page at once: the page stays as the server wrote it until the press had its click. */
function onAnswered(tell: () => void): () => void {
  if (answered) return () => {};
  return afterPress(() => {
    answered = true;
    tell();
  });
}

function isAnswered(): boolean {
  answered ||= !isPressed();
  return answered;
}

/**
 * Returns false on the server, in the first render, and while the press that began on the served page lasts; true afterwards: for parts that need
 * JavaScript.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(onAnswered, isAnswered, () => false);
}
