import { useEffect, useState } from 'react';
import { useHydrated } from './useHydrated';

/** `dura`: in ms, where it stays longer than others. */
export type Aviso = { id: string; texto: string; dura?: number };

/** As long as the specs show most of them. */
const VISIBLE_MS = 2_500;

/**
 * A success notice: 2.5 s, or as long as it says, in a page with JavaScript, part of the page without it. It stays while somebody is at it with the pointer, and its time begins again when
 * they leave. The area's layout shows the one of `flash`.
 */
export function Notice({ aviso }: { aviso: Aviso | null }) {
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
    const timer = setTimeout(() => setShown(null), shown.dura ?? VISIBLE_MS);
    return () => clearTimeout(timer);
  }, [shown, hydrated, held]);

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
