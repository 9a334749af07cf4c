import { useCallback, useEffect, useRef } from 'react';

export type Aviso = {
  id: string;
  texto: string;
  /** In ms, where it stays longer than others. */
  dura?: number | undefined;
  /** What takes the act back: the form that does it, or what does it on this very page. */
  deshacer?: { action: string; campos: Record<string, string> } | (() => void) | undefined;
};

const oyen = new Set<(aviso: Aviso | null) => void>();
let cuantos = 0;

const say = (aviso: Aviso | null) => {
  for (const oye of oyen) oye(aviso);
};

/** Says in the page's own notice what was done without the server, and how it is taken back. Where who said it goes, its notice goes as well. */
export function useAvisar() {
  const said = useRef(false);
  useEffect(() => () => void (said.current && say(null)), []);
  return useCallback((texto: string, deshacer: () => void) => {
    said.current = true;
    say({ id: `aqui${++cuantos}`, texto, deshacer });
  }, []);
}

/** For who shows notices; null takes away the one that a part of the page said, and no other. */
export function useAvisos(show: (aviso: Aviso | null) => void) {
  const now = useRef(show);
  now.current = show;
  useEffect(() => {
    const oye = (aviso: Aviso | null) => now.current(aviso);
    oyen.add(oye);
    return () => void oyen.delete(oye);
  }, []);
}
