import { useEffect, useState } from 'react';
import { useHydrated } from './useHydrated';

export type Aviso = { id: string; texto: string };

const VISIBLE_MS = 2_500;

/** A success notice: 2.5 s in a page with JavaScript, part of the page without it. The area's layout shows the one of `flash`. */
export function Notice({ aviso, ms = VISIBLE_MS }: { aviso: Aviso | null; ms?: number }) {
  const hydrated = useHydrated();
  const [shown, setShown] = useState<Aviso | null>(aviso);

  useEffect(() => {
    if (aviso) setShown(aviso);
  }, [aviso]);
  useEffect(() => {
    if (!shown || !hydrated) return;
    const timer = setTimeout(() => setShown(null), ms);
    return () => clearTimeout(timer);
  }, [shown, hydrated, ms]);

  return (
    <div role="status" aria-live="polite">
      {shown && (
        <p key={shown.id} className="noticia">
          {shown.texto}
        </p>
      )}
    </div>
  );
}
