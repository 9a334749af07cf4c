import { Link } from '@remix-run/react';
import { useId, useRef, type KeyboardEvent } from 'react';
import { FALLO, type Asunto } from '~/core/errors';
import type { Rechazo } from '~/core/rechazo';
import { Boton } from './Boton';
import { focusOn, headingIn } from './foco';
import { isInFlight } from './keys';
import { Frase, usePantalla } from './Pantallas';
import { Rechazado } from './Rechazado';
import { useModal } from './useModal';

/**
 * The red dialog of a refusal, over the page. Without JavaScript the refusal is a red box in the page. The dialog may stand inside a form. Its `key` has to
 * change with each answer, so that a repeated refusal shows again. Screens named in the text are links, and so is `asunto`.
 */
export function ErrorDialog({
  titulo,
  texto,
  asunto,
  rechazo,
  onClose,
}: {
  titulo: string;
  texto: string;
  asunto?: Asunto | undefined;
  rechazo?: Rechazo | undefined;
  onClose?: () => void;
}) {
  const dialog = useRef<HTMLDialogElement | null>(null);
  const [titleId, textId] = [useId(), useId()];
  const lugar = usePantalla(asunto?.pantalla);

  const shownAt = useRef(Infinity);
  const modal = useModal((element) => {
    dialog.current = element;
    shownAt.current = performance.now();
    focusOn(headingIn(element));
  });
  const close = () => dialog.current?.close();
  /** Enter closes the dialog once it was read; a key that was meant for the form does not. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.repeat || isInFlight(event, shownAt.current)) event.preventDefault();
    else if (event.key === 'Enter' && event.target instanceof HTMLHeadingElement) close();
  };

  return (
    <dialog
      ref={modal}
      open
      className="dialogo"
      data-tono="mal"
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
      onKeyDown={onKeyDown}
      onClose={onClose}
    >
      <header>
        <h2 id={titleId} tabIndex={-1}>
          {titulo}
        </h2>
      </header>
      <div className="cuerpo">
        <p id={textId}>
          <Frase texto={texto} />
        </p>
        {rechazo && <Rechazado rechazo={rechazo} />}
        <div className={lugar === undefined ? 'botones solo-js' : 'botones'}>
          {asunto && lugar !== undefined && (
            <Link className="boton" to={lugar}>
              {asunto.texto}
            </Link>
          )}
          <Boton tono="destruye" className="solo-js" onClick={close}>
            {FALLO.boton}
          </Boton>
        </div>
      </div>
    </dialog>
  );
}
