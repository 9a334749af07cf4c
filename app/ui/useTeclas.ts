import { useEffect, useRef } from 'react';

type Teclas = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** The listeners; the last to register is asked first. */
const OYEN: { current: Teclas }[] = [];

/** A menu or a sheet that hangs from its button, and closes by itself. */
const HANGS = ':popover-open:not([popover="manual"])';

/** False for a key while somebody types or answers a dialog. */
export function isOfPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.target as HTMLElement | null;
  if (target?.closest?.('input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]'))
    return false;
  return !document.querySelector('dialog:modal');
}

/** False likewise, and for a one-letter key of somebody who switched such keys off. */
function isForUs(event: KeyboardEvent): boolean {
  if (!isOfPage(event)) return false;
  const target = event.target as HTMLElement | null;
  // Escape closes the top thing alone: the browser closes what hangs over the page.
  if (event.key === 'Escape' && document.querySelector(HANGS)) return false;
  // An element that Enter presses keeps its Enter.
  if (event.key === 'Enter' && target?.closest?.('a, button, summary, [role="grid"]')) return false;
  return event.key.length > 1 || document.querySelector('.marco[data-teclas="no"]') === null;
}

/**
 * True while the focus is in the panel of a record or in a step, or nowhere beside a panel that waits for a text: letters typed there were meant for a field, and
 * lead nowhere. A press on plain words leaves the focus on the page or on its content.
 */
export const isAtWork = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element &&
  (target.closest('.lado, .contenido:has(.pasos)') !== null ||
    (target.matches('body, main') && document.querySelector('.lado [data-foco]') !== null));

function hear(event: KeyboardEvent) {
  if (!isForUs(event)) return;
  const found = OYEN.findLast(({ current }) => Object.hasOwn(current, event.key))?.current[event.key];
  if (!found) return;
  event.preventDefault();
  if (!event.repeat || event.key === 'j' || event.key === 'k') found(event);
}

/** Registers keys of the page while the caller is mounted: by `event.key`, without Ctrl, Alt or Cmd. */
export function useTeclas(teclas: Teclas): void {
  const latest = useRef(teclas);
  latest.current = teclas;
  useEffect(() => {
    if (OYEN.length === 0) document.addEventListener('keydown', hear);
    OYEN.push(latest);
    return () => {
      OYEN.splice(OYEN.indexOf(latest), 1);
      if (OYEN.length === 0) document.removeEventListener('keydown', hear);
    };
  }, []);
}
