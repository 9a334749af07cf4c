import { Button } from '@mantine/core';
import { Link } from '@remix-run/react';
import { useEffect, useId, useRef } from 'react';
import { FALLO, type Asunto } from '~/core/errors';
import { Frase, usePantalla } from './Pantallas';

/**
 * The red dialog of the spec, over the page that has the problem. Without JavaScript it is a red box in that page. It
 * may stand inside a form. Give it a `key` that changes with each answer: the same refusal twice is then shown twice.
 * The screens that it names are links, and so is `asunto`.
 */
export function ErrorDialog({
  titulo,
  texto,
  asunto,
  onClose,
}: {
  titulo: string;
  texto: string;
  asunto?: Asunto;
  onClose?: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [titleId, textId] = [useId(), useId()];
  const lugar = usePantalla(asunto?.pantalla);

  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    // Written open by the server; only showModal() traps the focus and dims the rest.
    element.removeAttribute('open');
    element.showModal();
    // showModal() takes the first thing that can be focused, which may be a link of the text: people answer with Enter.
    element.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => element.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      open
      className="dialogo"
      data-tono="mal"
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
      onClose={onClose}
    >
      <header>
        <h2 id={titleId}>{titulo}</h2>
      </header>
      <div className="cuerpo">
        <p id={textId}>
          <Frase texto={texto} />
        </p>
        <div className={lugar === undefined ? 'botones solo-js' : 'botones'}>
          {asunto && lugar !== undefined && (
            <Link className="boton" to={lugar}>
              {asunto.texto}
            </Link>
          )}
          <Button color="var(--mal)" className="solo-js" data-autofocus onClick={() => dialog.current?.close()}>
            {FALLO.boton}
          </Button>
        </div>
      </div>
    </dialog>
  );
}
