import { Button } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import { FALLO } from '~/core/errors';

/**
 * The red dialog of the spec, shown over the page that has the problem; 'Entendido' closes it, without JavaScript too. Give it a `key`
 * that changes with each answer, so that the same refusal twice is shown twice.
 */
export function ErrorDialog({ titulo, texto, onClose }: { titulo: string; texto: string; onClose?: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
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
        <form method="dialog" className="botones">
          <Button type="submit" color="red.8">{FALLO.boton}</Button>
        </form>
      </div>
    </dialog>
  );
}
