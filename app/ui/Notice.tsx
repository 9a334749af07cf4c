import { useEffect, useState } from 'react';
import { useHydrated } from './useHydrated';

export type Aviso = { id: string; texto: string };

/** As long as the specs show each of them. */
const VISIBLE_MS = 2_500;

/**
 * A success notice: 2.5 s in a page with JavaScript, part of the page without it. It stays while somebody is at it with the pointer, and its time begins again when
 * they leave. The area's layout shows the one of `flash`.
 */
export function Notice({ aviso, ms = VISIBLE_MS }: { aviso: Aviso | null; ms?: number }) {
  const hydrated = useHydrated();
  const [shown, setShown] = useState<Aviso | null>(aviso);
  const [held, setHeld] = useState(false);

  useEffect(() => {
    if (!aviso) return;
    setShown(aviso);
    setHeld(false);
  }, [aviso]);
  useEffect(() => {
    if (!shown || !hydrated || held) return;
    const timer = setTimeout(() => setShown(null), ms);
    return () => clearTimeout(timer);
  }, [shown, hydrated, held, ms]);

  return (
    <div role="status" aria-live="polite">
      {shown && (
        <p
          key={shown.id}
          className="noticia"
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
        >
          {shown.texto}
        </p>
      )}
    </div>
  );
}
