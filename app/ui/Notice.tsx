import { Form, useLocation } from '@remix-run/react';
import { useEffect, useRef, useState } from 'react';
import { useNotices, type Aviso } from './notify';
import { Hidden } from './useAnswer';
import { useHydrated } from './useHydrated';

/** The time in sight of most notices, and of notices that can be answered. */
const VISIBLE_MS = 2_500;
const CON_DESHACER_MS = 10_000;

/**
 * A success notice: 2.5 s or its own time in sight with JavaScript, a part of the page without. The notice stays while a person is at it, and its time begins
 * again when they leave. The area's layout shows the notice of `flash` and those of `notify`.
 */
export function Notice({ aviso }: { aviso: Aviso | null }) {
  const hydrated = useHydrated();
  const { pathname, search } = useLocation();
  const [shown, setShown] = useState<Aviso | null>(aviso);
  const [held, setHeld] = useState(false);

  const show = (next: Aviso | null) => {
    setShown(next);
    setHeld(false);
  };
  useNotices((own) => {
    if (own ?? typeof shown?.deshacer === 'function') show(own);
  });
  // The page may bring a notice again that was shown.
  const id = aviso?.id;
  const latest = useRef(aviso);
  latest.current = aviso;
  useEffect(() => {
    if (id !== undefined) show(latest.current);
  }, [id]);
  useEffect(() => {
    if (!shown || !hydrated || held) return;
    const timer = setTimeout(() => setShown(null), shown.dura ?? (shown.deshacer ? CON_DESHACER_MS : VISIBLE_MS));
    return () => clearTimeout(timer);
  }, [shown, hydrated, held]);

  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  const deshacer = shown?.deshacer;
  return (
    <div role="status" aria-live="polite">
      {shown && (
        <div
          key={shown.id}
          className="noticia"
          onPointerEnter={hold}
          onPointerLeave={release}
          onFocus={hold}
          onBlur={release}
        >
          <p>{shown.texto}</p>
          {typeof deshacer === 'function' ? (
            <button
              type="button"
              className="boton"
              onClick={() => {
                show(null);
                deshacer();
              }}
            >
              {shown.boton ?? 'Deshacer'}
            </button>
          ) : (
            deshacer && (
              <Form method="post" action={deshacer.action} replace preventScrollReset onSubmit={() => show(null)}>
                <Hidden volver={pathname + search} {...deshacer.campos} />
                <button type="submit" className="boton">
                  Deshacer
                </button>
              </Form>
            )
          )}
        </div>
      )}
    </div>
  );
}
