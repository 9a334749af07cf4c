import { useCallback, useEffect, useRef } from 'react';

export type Aviso = {
  id: string;
  texto: string;
  /** Milliseconds in sight, where they differ from the usual time. */
  dura?: number | undefined;
  /** The way to undo the act: a form to send, or a function of this page. */
  deshacer?: { action: string; campos: Record<string, string> } | (() => void) | undefined;
  /** What the button of a function says, where it undoes nothing. */
  boton?: string;
};

const oyen = new Set<(aviso: Aviso | null) => void>();
let cuantos = 0;

/** Shows a notice, or the notice that is shown in other words. */
export const say = (aviso: Aviso | null) => {
  for (const oye of oyen) oye(aviso);
};

/** Returns a function that shows a notice of an act done without the server, with its undo. The notice goes when the part that showed it goes. */
export function useNotify() {
  const said = useRef(false);
  useEffect(() => () => void (said.current && say(null)), []);
  return useCallback((texto: string, deshacer: () => void) => {
    said.current = true;
    say({ id: `aqui${++cuantos}`, texto, deshacer });
  }, []);
}

/** Registers the part that shows notices. Null takes away the notice of a part of the page, and no other notice. */
export function useNotices(show: (aviso: Aviso | null) => void) {
  const now = useRef(show);
  now.current = show;
  useEffect(() => {
    const oye = (aviso: Aviso | null) => now.current(aviso);
    oyen.add(oye);
    return () => void oyen.delete(oye);
  }, []);
}
