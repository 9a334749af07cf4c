import { useCallback, useEffect, useRef } from 'react';
import type { Aviso } from './Notice';

const oyen = new Set<(aviso: Aviso | null) => void>();
let cuantos = 0;

const decir = (aviso: Aviso | null) => {
  for (const oye of oyen) oye(aviso);
};

/** Says in the page's own notice what was done without the server, and how it is taken back. Where who said it goes, its notice goes as well. */
export function useAvisar() {
  const said = useRef(false);
  useEffect(() => () => void (said.current && decir(null)), []);
  return useCallback((texto: string, deshacer: () => void) => {
    said.current = true;
    decir({ id: `aqui${++cuantos}`, texto, deshacer });
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
