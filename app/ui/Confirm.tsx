import { Button, type ButtonProps } from '@mantine/core';
import { Form } from '@remix-run/react';
import { useEffect, useId, useRef, useState, type ComponentPropsWithoutRef } from 'react';
import type { PendingConfirmation } from '~/core/submission';

type Props = Omit<ButtonProps, 'type'> &
  Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps | 'type' | 'onClick'> & {
    titulo: string;
    texto: string;
    /** A cheap `<button class="boton">` instead of Mantine's, for rows of a table; 'menu' for a row of a menu. */
    plain?: 'boton' | 'menu';
    /** False when the form would be refused anyway: then it is sent at once, so that its errors show before any question. */
    ready?: (form: HTMLFormElement) => boolean;
  };

/**
 * A submit button that asks first. 'Si' sends its form with `confirmado=1`. Without JavaScript the form goes as it
 * is, the action answers with `askFirst` (core/confirm), and `ConfirmStep` shows that question as a step of the page.
 */
export function Confirm({ titulo, texto, plain, ready, children, ...button }: Props) {
  const trigger = useRef<HTMLButtonElement>(null);
  const [asking, setAsking] = useState(false);
  const [confirmed, setConfirmed] = useState(false);

  useEffect(() => {
    if (!confirmed) return;
    const element = trigger.current;
    element?.form?.requestSubmit(element);
    setConfirmed(false);
  }, [confirmed]);

  const ask = (event: { preventDefault(): void }) => {
    const form = trigger.current?.form;
    if (form && ready && !ready(form)) return;
    event.preventDefault();
    setAsking(true);
  };

  return (
    <>
      {plain ? (
        <button
          {...(button as ComponentPropsWithoutRef<'button'>)}
          ref={trigger}
          type="submit"
          className={plain === 'boton' ? 'boton' : undefined}
          onClick={ask}
        >
          {children}
        </button>
      ) : (
        <Button {...button} ref={trigger} type="submit" onClick={ask}>
          {children}
        </Button>
      )}
      {confirmed && <input type="hidden" name="confirmado" value="1" />}
      {asking && (
        <Question
          titulo={titulo}
          texto={texto}
          onAnswer={(yes) => {
            setAsking(false);
            setConfirmed(yes);
            if (!yes) trigger.current?.focus();
          }}
        />
      )}
    </>
  );
}

function Question({ titulo, texto, onAnswer }: { titulo: string; texto: string; onAnswer(yes: boolean): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const textId = useId();
  useEffect(() => {
    dialog.current?.showModal();
    // showModal() takes the first button; people answer with Enter, so the yes is the one that waits for it.
    dialog.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialogo"
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
      onCancel={(event) => {
        event.preventDefault();
        onAnswer(false);
      }}
    >
      <header>
        <h2 id={titleId}>{titulo}</h2>
      </header>
      <div className="cuerpo">
        <p id={textId}>{texto}</p>
        <div className="botones">
          <Button variant="default" onClick={() => onAnswer(false)}>
            No
          </Button>
          <Button data-autofocus onClick={() => onAnswer(true)}>
            Si
          </Button>
        </div>
      </div>
    </dialog>
  );
}

/** The question as a step of the page, for browsers without JavaScript: everything that was sent, once more, with a yes. */
export function ConfirmStep({
  pending,
  cancelar,
  action,
}: {
  pending: PendingConfirmation;
  cancelar: string;
  action?: string;
}) {
  return (
    <section className="hoja media" role="alertdialog" aria-label={pending.titulo}>
      <h2>{pending.titulo}</h2>
      <p>{pending.texto}</p>
      <Form method="post" action={action} className="botones">
        {pending.campos.map(([name, value], at) => (
          <input key={at} type="hidden" name={name} value={value} />
        ))}
        <a className="boton" href={cancelar}>
          No
        </a>
        <button className="boton" data-tono="acento" type="submit" name="confirmado" value="1">
          Si
        </button>
      </Form>
    </section>
  );
}
