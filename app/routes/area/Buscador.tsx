import { Form, useLocation } from '@remix-run/react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Icono } from '~/ui/Icono';
import { useOnChange } from '~/ui/useOnChange';

const Paleta = lazy(() => import('./Paleta'));

/**
 * The search box of the bar. Without JavaScript it leads to the search page; with it Ctrl K or a press opens the palette, which is fetched then. While a dialog
 * is open Ctrl K does nothing.
 */
export function Buscador({ area }: { area: string }) {
  const { key, pathname } = useLocation();
  const [open, setOpen] = useState(false);

  useOnChange(key, () => setOpen(false));
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      if (!event.repeat && !document.querySelector('dialog:modal')) setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  return (
    <>
      {/* The page of the search has a box of its own. */}
      {pathname !== `${area}/buscar` && (
        <Form method="get" action={`${area}/buscar`} role="search" className="buscador">
          <Icono nombre="buscar" />
          <input
            type="text"
            enterKeyHint="search"
            name="q"
            aria-label="Buscar o ir a"
            aria-keyshortcuts="Control+K"
            placeholder="Buscar… orden, comprador, RFC, folio, guía"
            maxLength={200}
            autoComplete="off"
            onClick={() => setOpen(true)}
          />
          <kbd aria-hidden="true">Ctrl K</kbd>
        </Form>
      )}
      {open && (
        <Suspense>
          <Paleta area={area} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
