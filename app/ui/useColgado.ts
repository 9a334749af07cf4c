import { useEffect, useId, useRef, useState } from 'react';

const MARGEN = 8;
/** Between the button and its popover. */
const SEPARA = 4;
/** Least height of a popover that can be read. */
const LEAST = 200;

/**
 * Returns the refs of a button and the native popover that hangs from it. The popover closes by Escape or by a press beside it and gives the focus back.
 * `wanted` says whether both are on the page.
 */
export function useColgado(wanted: unknown) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const element = panel.current;
    if (!element) return;
    const follow = (event: Event) => {
      const opens = (event as ToggleEvent).newState === 'open';
      setOpen(opens);
      const at = button.current?.getBoundingClientRect();
      if (!opens || !at) return;
      const { innerHeight, innerWidth } = window;
      // Below its button, or above one that stands low, as the acts of a telephone's list do.
      const isLow = innerHeight - at.bottom < LEAST;
      const room = isLow ? at.top : innerHeight - at.bottom;
      const vertical = `${innerHeight - room + SEPARA}px`;
      // To the side that has more room, and never over the edge.
      const beside = innerWidth - at.right;
      const toRight = at.left < beside;
      const horizontal = `${Math.max(MARGEN, toRight ? at.left : beside)}px`;
      const beginning = isLow ? `auto auto ${vertical}` : `${vertical} auto auto`;
      element.style.inset = `${beginning} ${toRight ? horizontal : 'auto'}`;
      if (!toRight) element.style.right = horizontal;
      element.style.maxHeight = `${Math.max(LEAST, room - SEPARA - MARGEN)}px`;
    };
    element.addEventListener('beforetoggle', follow);
    return () => element.removeEventListener('beforetoggle', follow);
  }, [wanted]);
  return {
    open,
    shut: () => panel.current?.hidePopover(),
    deBoton: { ref: button, 'aria-expanded': open, popovertarget: id },
    dePanel: { ref: panel, id, className: 'emergente', popover: '' },
  };
}
