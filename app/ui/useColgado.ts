import { useEffect, useId, useRef, useState } from 'react';

const MARGEN = 8;

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
      element.style.top = `${at.bottom + 4}px`;
      element.style.maxHeight = `${Math.max(200, window.innerHeight - at.bottom - 4 - MARGEN)}px`;
      // To the side that has more room, and never over the edge.
      const toRight = at.left < window.innerWidth - at.right;
      element.style.left = toRight ? `${Math.max(MARGEN, at.left)}px` : 'auto';
      element.style.right = toRight ? 'auto' : `${Math.max(MARGEN, window.innerWidth - at.right)}px`;
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
