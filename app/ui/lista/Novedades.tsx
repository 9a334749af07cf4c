import { useRevalidator } from '@remix-run/react';
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { writeCount } from '~/core/count';
import type { ListNews, ListWindow } from '~/core/list';

/** The interval of asking for news while somebody looks. */
const LOOK_MS = 5_000;
/** Hands that rested for so long are not about to press a row. */
const IDLE_MS = 4_000;
/** The number of new rows that are searched for the row that stood first. */
const MOST_CAME = 49;
const STIRS = ['pointermove', 'pointerdown', 'keydown', 'scroll', 'touchstart'] as const;

type Props = {
  source: string;
  query: string;
  corte: string;
  total: number;
  /** The window in sight. */
  indice: number;
  keyAt: (index: number) => string | undefined;
  /** The known rows of a window, and the function that replaces them. */
  held: (indice: number) => readonly unknown[] | undefined;
  replace: (indice: number, filas: unknown[]) => void;
  keyOf: (row: unknown) => string;
  /** Called with the keys of rows that somebody else changed since the list was opened. */
  onChanged: (keys: string[], corte: string) => void;
  box: RefObject<HTMLElement>;
  rowHeight: number;
  /** False while the list is being read. */
  active: boolean;
};

/**
 * The news of an open list. Known rows change in place. No row comes, goes or moves until somebody asks, or nobody is at the list and the list stands at its
 * top. Waiting news are told above the rows and aloud, with the button that shows them.
 */
export function Novedades(props: Props) {
  const { corte, query, active, box } = props;
  const { revalidate } = useRevalidator();
  const [told, tell] = useState({ corte, nuevas: 0, movidas: false, cambiadas: [] as string[] });
  const latest = useRef(props);
  latest.current = props;
  const rested = useRef(0);
  const before = useRef<{ key: string; top: number } | null>(null);

  const mostrar = useRef(() => {
    const { keyAt, box } = latest.current;
    const key = keyAt(0);
    before.current = key === undefined ? null : { key, top: box.current?.scrollTop ?? 0 };
    void revalidate();
  });

  useEffect(() => {
    const stir = () => (rested.current = Date.now());
    for (const event of STIRS) document.addEventListener(event, stir, { passive: true });
    return () => STIRS.forEach((event) => document.removeEventListener(event, stir));
  }, []);

  useEffect(() => {
    if (!active) return;
    const end = new AbortController();
    const look = async () => {
      if (document.visibilityState !== 'visible') return;
      const { source, total, indice } = latest.current;
      const answer = await fetch(`${source}?${query}&novedades=${indice}&total=${total}&corte=${corte}`, {
        signal: end.signal,
        headers: { Accept: 'application/json' },
      });
      if (!answer.ok || answer.redirected) return;
      const { nuevas, ventana } = (await answer.json()) as ListNews<unknown>;
      if (end.signal.aborted) return;
      const { cambiadas, movidas } = refresh(latest.current, ventana);
      if ((nuevas > 0 || movidas) && isLeftAlone(latest.current.box.current, rested.current)) return mostrar.current();
      tell((now) => {
        const all = [...new Set([...(now.corte === corte ? now.cambiadas : []), ...cambiadas])];
        return { corte, nuevas, movidas, cambiadas: all };
      });
    };
    const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS); // A failed look is silent; the next one tells.
    return () => {
      clearInterval(timer);
      end.abort();
    };
  }, [active, query, corte]);

  useEffect(() => latest.current.onChanged(told.cambiadas, told.corte), [told]);

  // The row at the top of the visible part stays there; new rows stand above it.
  useLayoutEffect(() => {
    const was = before.current;
    if (!was || !box.current) return;
    before.current = null;
    if (was.top === 0) return;
    const { keyAt, rowHeight } = latest.current;
    for (let came = 1; came <= MOST_CAME; came++)
      if (keyAt(came) === was.key) {
        box.current.scrollTop = was.top + came * rowHeight;
        return;
      }
  }, [corte, box]);

  const { nuevas, movidas, cambiadas } = told.corte === corte ? told : { nuevas: 0, movidas: false, cambiadas: [] };
  const textos = [
    nuevas > 0 && (nuevas === 1 ? '1 nueva' : `${writeCount(nuevas)} nuevas`),
    nuevas === 0 && movidas && 'La lista cambió',
    cambiadas.length > 0 &&
      (cambiadas.length === 1 ? '1 fila modificada' : `${writeCount(cambiadas.length)} filas modificadas`),
  ].filter((texto) => texto !== false);
  return (
    <div className="lista-novedades" role="status">
      {textos.length > 0 && <span>{textos.join(' · ')}</span>}
      {(nuevas > 0 || movidas) && (
        <button type="button" className="boton" onClick={() => mostrar.current()}>
          Mostrar
        </button>
      )}
    </div>
  );
}

/** Writes the current rows of a window over the known ones. Each row keeps its place, even one whose place would be another by now. */
function refresh({ held, replace, keyOf }: Props, { indice, filas }: ListWindow<unknown>) {
  const known = held(indice);
  if (!known) return { cambiadas: [], movidas: false };
  const fresh = new Map(filas.map((fila) => [keyOf(fila), fila]));
  const cambiadas = known
    .filter((fila) => {
      const now = fresh.get(keyOf(fila));
      return now !== undefined && hechosOf(now) !== hechosOf(fila);
    })
    .map(keyOf);
  const distinta = known.some((fila) => {
    const now = fresh.get(keyOf(fila));
    return now !== undefined && JSON.stringify(now) !== JSON.stringify(fila);
  });
  if (distinta)
    replace(
      indice,
      known.map((fila) => fresh.get(keyOf(fila)) ?? fila),
    );
  const movidas = filas.length !== known.length || known.some((fila, at) => keyOf(fila) !== keyOf(filas[at]));
  return { cambiadas, movidas };
}

/** The facts of a row. What stands beside them, as a picture does, comes and goes without a word. */
const hechosOf = (fila: unknown) => JSON.stringify({ ...(fila as object), alLado: undefined });

/** True where nobody is at the list: it stands at its top, no pointer and no focus is in it, nothing is chosen or open over it, and hands rest. */
function isLeftAlone(box: HTMLElement | null, rested: number): boolean {
  const focused = document.activeElement;
  return (
    box !== null &&
    box.scrollTop === 0 &&
    window.scrollY === 0 &&
    Date.now() - rested > IDLE_MS &&
    !box.matches(':hover') &&
    !box.contains(focused) &&
    !focused?.closest('input,textarea,select,dialog,aside') &&
    !document.querySelector('dialog[open],aside.lado,:popover-open,.lista-lote:not([hidden])')
  );
}
