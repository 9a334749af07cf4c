import { Button } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import { FALLO } from '~/core/errors';

/**
 * The red dialog of the spec, over the page that has the problem; without JavaScript, a red box in it. It may stand inside a form. Give it
 * a `key` that changes with each answer, so that the same refusal twice is shown twice.
 */
export function ErrorDialog({ titulo, texto, onClose }: { titulo: string; texto: string; onClose?: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    // Written open by the server; only showModal() traps the focus and dims the rest.
    element.removeAttribute('open');
    element.showModal();
    return () => element.close();
  }, []);

  return (
    <dialog ref={dialog} open className="dialogo" data-tono="mal" role="alertdialog" aria-labelledby={titleId} onClose={onClose}>
      <header>
        <h2 id={titleId}>{titulo}</h2>
      </header>
      <div className="cuerpo">
        <p>{texto}</p>
        <div className="botones solo-js">
          <Button color="var(--mal)" autoFocus onClick={() => dialog.current?.close()}>{FALLO.boton}</Button>
        </div>
      </div>
    </dialog>
  );
}
