import { Link, useNavigate } from '@remix-run/react';
import { useId, type ReactNode } from 'react';
import { fieldsIn, focusOn, headingIn } from './foco';
import { useModal } from './useModal';

type Props = {
  titulo: ReactNode;
  children: ReactNode;
  /** Where closing leads: the same list without `?ver=`. */
  cerrar: string;
  ancho?: 'normal' | 'grande' | 'lleno';
  /** The dialog tells a result: its title takes the focus, and all of it is read aloud. */
  anuncia?: true;
  tono?: 'mal';
};

/** Returns the first field in error, else the first field in sight. Under a thumb only an error takes the focus, since the keyboard would cover the dialog. */
function firstField(dialog: HTMLDialogElement): HTMLElement | undefined {
  const wrong = dialog.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (wrong || !window.matchMedia('(pointer: fine)').matches) return wrong ?? undefined;
  const bottom = dialog.getBoundingClientRect().bottom;
  return fieldsIn(dialog).find((field) => !field.matches('select') && field.getBoundingClientRect().bottom < bottom);
}

/**
 * A dialog that an address opens (`?ver=`, `?agregar=1`): part of the page without JavaScript, modal with it. Escape and the cross lead to
 * `cerrar`. Render it when the address says so, and not otherwise.
 */
export function Dialog({ titulo, children, cerrar, ancho = 'normal', tono, anuncia }: Props) {
  const [titleId, bodyId] = [useId(), useId()];
  const navigate = useNavigate();
  const modal = useModal((dialog) => focusOn((anuncia ? undefined : firstField(dialog)) ?? headingIn(dialog)));

  return (
    <dialog
      ref={modal}
      open
      className="dialogo"
      data-ancho={ancho}
      data-tono={tono}
      aria-labelledby={titleId}
      aria-describedby={anuncia && bodyId}
      onCancel={(event) => {
        // The close of an inner question or of a file chooser is not the close of this dialog.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        navigate(cerrar, { preventScrollReset: true });
      }}
    >
      <header>
        <h2 id={titleId} tabIndex={-1}>
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
