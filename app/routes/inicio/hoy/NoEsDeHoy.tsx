import { Form } from '@remix-run/react';
import { useEffect, useRef, type ReactNode } from 'react';
import { focusOn, isFocusFree } from '~/ui/foco';
import { Icono } from '~/ui/Icono';
import { Hidden } from '~/ui/useAnswer';

/** The name under which the form is sent: the page shows its refusal, wherever the press was. */
export const FORMULARIO = 'noEsDeHoy';
/** Text of the press, and the reason that is kept with the thing. */
export const NO_ES_DE_HOY = 'No es de hoy';

type Props = { clave: string; cosa: string; children: ReactNode };

/** The form of one press that puts a thing aside until tomorrow morning. */
export const NoEsDeHoy = ({ clave, cosa, children }: Props) => (
  <Form method="post" preventScrollReset>
    <Hidden formulario={FORMULARIO} intent="posponer" cola={clave} cosa={cosa} hasta="manana" motivo={NO_ES_DE_HOY} />
    {children}
  </Form>
);

/** The press in the line of a thing. */
export function NoEsDeHoyEnLinea({ que, ...cual }: { que: string; clave: string; cosa: string }) {
  const pulsado = useRef<Element | null>(null);
  // The line goes with its button, so the focus waits at the title of the card, where no key presses anything.
  useEffect(
    () => () => {
      if (isFocusFree()) focusOn(pulsado.current?.querySelector('h2'));
    },
    [],
  );
  return (
    <NoEsDeHoy {...cual}>
      <button
        type="submit"
        className="accion"
        aria-label={`${NO_ES_DE_HOY}: ${que}`}
        title={NO_ES_DE_HOY}
        onClick={({ currentTarget }) => (pulsado.current = currentTarget.closest('section'))}
      >
        <Icono nombre="manana" />
      </button>
    </NoEsDeHoy>
  );
}
