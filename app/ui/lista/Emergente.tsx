import { useLocation } from '@remix-run/react';
import { Suspense, useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { withParams } from '~/core/list';
import { useHydrated } from '../useHydrated';

type Props = {
  /** What the address calls it where there are no scripts: `?panel=`. */
  nombre: string;
  boton: ReactNode;
  className?: string;
  /** Fetches what it shows, before it is asked for. */
  anticipar?: () => void;
  children: (cerrar: string) => ReactNode;
};

const MARGEN = 8;

/**
 * A button and what hangs from it: the browser's own popover, which shuts with Escape or a press beside it and gives the focus back. Without
 * JavaScript the button is a link to the same page with it open. What it shows is only made once it is open.
 */
export function Emergente({ nombre, boton, className = 'boton', anticipar, children }: Props) {
  const { search } = useLocation();
  const hydrated = useHydrated();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const cerrar = withParams(search, { panel: null });
  const asked = new URLSearchParams(search).get('panel') === nombre;

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
  }, [hydrated, asked]);

  if (asked)
    return (
      <div className="emergente" data-abierto>
        <Suspense>{children(cerrar)}</Suspense>
      </div>
    );
  if (!hydrated)
    return (
      <a className={className} href={withParams(search, { panel: nombre })}>
        {boton}
      </a>
    );
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-expanded={open}
        onPointerEnter={anticipar}
        onFocus={anticipar}
        {...{ popovertarget: id }}
      >
        {boton}
      </button>
      <div ref={panel} id={id} className="emergente" {...{ popover: '' }}>
        {open && <Suspense fallback={<p className="hueso" />}>{children(cerrar)}</Suspense>}
      </div>
    </>
  );
}
