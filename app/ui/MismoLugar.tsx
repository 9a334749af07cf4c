import { ScrollRestoration, useLocation, useRevalidator } from '@remix-run/react';
import { useLayoutEffect, useRef } from 'react';

/**
 * The scroll of the page, kept by the router for who goes back. When a page that stands is read again the router also takes it back to where it was as
 * the reading began: who scrolled meanwhile is pulled away, and what they were pressing no longer lies under the mouse. So a page whose address stays is put
 * where it was a moment ago, before it is painted.
 */
export function MismoLugar({ nonce }: { nonce?: string }) {
  const lugar = useRef(0);
  return (
    <>
      <Antes lugar={lugar} />
      <ScrollRestoration nonce={nonce} />
      <Despues lugar={lugar} />
    </>
  );
}

type Lugar = { lugar: { current: number } };

/** Both are told of every change of the router, as what stands between them is; effects run in the order of the page. */
function Antes({ lugar }: Lugar) {
  useRevalidator();
  useLayoutEffect(() => {
    lugar.current = window.scrollY;
  });
  return null;
}

function Despues({ lugar }: Lugar) {
  useRevalidator();
  const { key } = useLocation();
  const shown = useRef(key);
  useLayoutEffect(() => {
    if (shown.current === key && window.scrollY !== lugar.current) window.scrollTo(0, lugar.current);
    shown.current = key;
  });
  return null;
}
