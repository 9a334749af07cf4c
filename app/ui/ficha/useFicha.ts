import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { AUSENTE, isTheSame, fichaLeida, readFicha } from './readFicha';

const OTRA_MIRADA_MS = 10_000;

type Options<T> = {
  /** The record's address as JSON; another address is another record. */
  url: string;
  /** The record that came with the page, where the page was made with it. */
  inicial: T | 'ausente' | null;
  /** A value that changes whenever the page read its data again, as after each action: the record is then read again too. */
  corte: string;
  /** Set while a person types in the record, which then stays as they saw it. */
  editando: boolean;
};

type Vista = { url: string; texto: string | undefined; cambio: boolean; fallo: boolean };

/**
 * Reads a record beside its list. A record read ahead is there at once, and the shown record stays until the next is known. While the panel is open the record
 * is read again every few seconds: a change of another person is shown and told (`cambio`), unless the record is being edited.
 */
export function useFicha<T>({ url, inicial, corte, editando }: Options<T>) {
  const [vista, setVista] = useState<Vista>(() => ({
    url,
    texto: inicial === 'ausente' ? AUSENTE : inicial ? JSON.stringify(inicial) : fichaLeida(url),
    cambio: false,
    fallo: false,
  }));
  const texto = vista.url === url ? vista.texto : fichaLeida(url);
  const cameWith = useRef(inicial ? `${url} ${corte}` : null);
  const now = useRef({ texto, editando, corte });
  now.current = { texto, editando, corte };

  useEffect(() => {
    // The page came with the record.
    if (cameWith.current === `${url} ${corte}`) return;
    cameWith.current = `${url} ${corte}`;
    let gone = false;
    readFicha(url, { corte }).then(
      (texto) => !gone && setVista({ url, texto, cambio: false, fallo: false }),
      () => !gone && setVista((before) => ({ ...before, url, texto: fichaLeida(url), fallo: true })),
    );
    return () => {
      gone = true;
      // A request that was abandoned counts as not made.
      cameWith.current = null;
    };
  }, [url, corte]);

  useEffect(() => {
    let gone = false;
    const look = async () => {
      if (document.visibilityState !== 'visible' || now.current.texto === undefined) return;
      const texto = await readFicha(url, { corte: now.current.corte, otraVez: true });
      const { texto: shown, editando } = now.current;
      if (gone || shown === undefined || texto === shown) return;
      // Only the clocks of the record moved on.
      if (isTheSame(texto, shown)) setVista((before) => (before.url === url ? { ...before, texto } : before));
      else setVista({ url, texto: editando ? shown : texto, cambio: true, fallo: false });
    };
    // A failed look is silent; the next one tells.
    const timer = setInterval(() => void look().catch(() => undefined), OTRA_MIRADA_MS);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [url]);

  const ficha = useMemo(() => (texto === undefined ? undefined : (JSON.parse(texto) as T | null)), [texto]);
  const reintentar = useCallback(
    () =>
      void readFicha(url, { corte }).then(
        (texto) => setVista({ url, texto, cambio: false, fallo: false }),
        () => undefined,
      ),
    [url, corte],
  );
  return {
    /** The record: undefined while it is read, null when it does not exist. */
    ficha: texto === AUSENTE ? null : ficha,
    cambio: vista.url === url && vista.cambio,
    fallo: vista.url === url && vista.fallo && texto === undefined,
    reintentar,
  };
}
