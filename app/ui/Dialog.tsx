import { Link, useNavigate } from '@remix-run/react';
import { useEffect, useId, useRef, type ReactNode } from 'react';

type Props = {
  titulo: ReactNode;
  children: ReactNode;
  /** Where closing leads: the same list without `?ver=`. */
  cerrar: string;
  ancho?: 'normal' | 'grande' | 'lleno';
  /** What was just done: its title takes the focus and all of it is read aloud. */
  anuncia?: true;
  tono?: 'mal';
};

/** What a form asks first, if it is in sight: showModal() would take the cross. Whoever has no mouse or keyboard opens a field by touching it. */
function firstField(dialog: HTMLDialogElement): HTMLElement | undefined {
  const wrong = dialog.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (wrong || !window.matchMedia('(pointer: fine)').matches) return wrong ?? undefined;
  const fields = dialog.querySelectorAll<HTMLElement>(
    'input:not([type="hidden"], [type="file"], [type="checkbox"], [type="radio"], [readonly], :disabled), textarea:not([readonly], :disabled)',
  );
  const bottom = dialog.getBoundingClientRect().bottom;
  return [...fields].find((field) => field.offsetParent !== null && field.getBoundingClientRect().bottom < bottom);
}

/**
 * A dialog that an address opens (`?ver=`, `?agregar=1`): part of the page without JavaScript, modal with it. Escape and the cross lead to
 * `cerrar`. Render it when the address says so, and not otherwise.
 */
export function Dialog({ titulo, children, cerrar, ancho = 'normal', tono, anuncia }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [titleId, bodyId] = [useId(), useId()];
  const navigate = useNavigate();

  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const before = document.activeElement;
    // Written open by the server; only showModal() traps the focus and dims the rest.
    element.removeAttribute('open');
    element.showModal();
    (element.querySelector<HTMLElement>('h2[tabindex]') ?? firstField(element))?.focus({ preventScroll: true });
    return () => {
      element.close();
      // It is gone from the page by now, so the browser cannot give the focus back by itself.
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);

  return (
    <dialog
      ref={dialog}
      open
      className="dialogo"
      data-ancho={ancho}
      data-tono={tono}
      aria-labelledby={titleId}
      aria-describedby={anuncia && bodyId}
      onCancel={(event) => {
        // A question asked inside it, or a file that is not chosen after all, is not this dialog's to end.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        navigate(cerrar, { preventScrollReset: true });
      }}
    >
      <header>
        <h2 id={titleId} tabIndex={anuncia && -1}>
          {titulo}
        </h2>
        <Link to={cerrar} preventScrollReset aria-label="Cerrar">
          ✕
        </Link>
      </header>
      <div id={bodyId} className="cuerpo">
        {children}
      </div>
    </dialog>
  );
}
