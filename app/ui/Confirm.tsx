import { Form } from '@remix-run/react';
import { useEffect, useId, useRef, useState, type ComponentPropsWithoutRef, type KeyboardEvent } from 'react';
import type { Question as Asked } from '~/core/fieldRules';
import type { PendingConfirmation } from '~/core/submission';
import { Boton, type BotonProps } from './Boton';
import { focusOn } from './foco';
import { IN_FLIGHT_MS, isInFlight } from './keys';
import { useHydrated } from './useHydrated';
import { useModal } from './useModal';

type Props = Omit<BotonProps, 'type' | 'onClick' | 'ref' | 'ocupado'> &
  Asked & {
    /** 'boton' for a button of the height of a row or a bar; 'menu' for a row of a menu. */
    plain?: 'boton' | 'menu';
    /** False when the form would be refused anyway. The form is then sent at once, so that its errors show before any question. */
    ready?: (form: HTMLFormElement) => boolean;
  };

/**
 * A submit button that asks first. 'Si' sends its form with `confirmado=1`. The question opens on 'No', and 'Si' takes Ctrl+Enter. Without
 * JavaScript the form goes as it is, the action answers with `askFirst` (core/submission), and `ConfirmStep` shows that question as a step of the page.
 */
export function Confirm({ titulo, texto, hechos, destruye, plain, ready, children, ...button }: Props) {
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
    // A field that knows its own fault, as a day out of range, tells it before any question.
    const wrong = [...(form?.elements ?? [])].find((field) => (field as HTMLInputElement).validity?.customError);
    if (wrong) {
      event.preventDefault();
      (wrong as HTMLInputElement).reportValidity();
      return;
    }
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
          data-principal
          className={plain === 'boton' ? 'boton' : undefined}
          onClick={ask}
        >
          {children}
        </button>
      ) : (
        <Boton tono="acento" {...button} ref={trigger} type="submit" data-principal onClick={ask}>
          {children}
        </Boton>
      )}
      {confirmed && <input type="hidden" name="confirmado" value="1" />}
      {asking && (
        <Question
          {...{ titulo, texto, hechos, destruye }}
          onAnswer={(yes) => {
            setAsking(false);
            setConfirmed(yes);
          }}
        />
      )}
    </>
  );
}

export function Question({ titulo, texto, hechos, destruye, onAnswer }: Asked & { onAnswer(yes: boolean): void }) {
  const shownAt = useRef(Infinity);
  const answered = useRef(false);
  const [listens, setListens] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setListens(true), IN_FLIGHT_MS);
    return () => clearTimeout(timer);
  }, []);
  const [titleId, textId] = [useId(), useId()];
  const modal = useModal((dialog) => {
    shownAt.current = performance.now();
    focusOn(dialog.querySelector<HTMLElement>('[data-no]'));
  });
  const answer = (yes: boolean) => (event: { timeStamp: number; preventDefault(): void }) => {
    event.preventDefault();
    if (answered.current || isInFlight(event, shownAt.current)) return;
    answered.current = true;
    onAnswer(yes);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.repeat || isInFlight(event, shownAt.current)) event.preventDefault();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) answer(true)(event);
  };
  return (
    <dialog
      ref={modal}
      className="dialogo"
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
      onKeyDown={onKeyDown}
      onCancel={answer(false)}
      // A second Escape closes the dialog in every browser.
      onClose={() => !answered.current && onAnswer(false)}
    >
      <header>
        <h2 id={titleId}>{titulo}</h2>
      </header>
      <div className="cuerpo">
        <div id={textId}>
          <p>{texto}</p>
          {hechos && <p className="hechos">{hechos}</p>}
        </div>
        <div className="botones">
          <Boton data-no onClick={answer(false)}>
            No
          </Boton>
          <Boton
            tono={destruye ? 'destruye' : 'acento'}
            disabled={!listens}
            title="Ctrl + Enter"
            onClick={answer(true)}
          >
            Si
          </Boton>
        </div>
      </div>
    </dialog>
  );
}

/**
 * The question as a step of the page, for browsers without JavaScript: everything that was sent, once more, with a yes or a no. A no comes back to
 * the form with what was typed, or leads to `cancelar` where there is no form to come back to.
 */
export function ConfirmStep({
  pending,
  cancelar,
  action,
}: {
  pending: PendingConfirmation;
  cancelar?: string;
  action?: string;
}) {
  return (
    <section className="hoja media" role="alertdialog" aria-label={pending.titulo} data-pregunta="">
      <h2>{pending.titulo}</h2>
      <p>{pending.texto}</p>
      {pending.hechos && <p className="hechos">{pending.hechos}</p>}
      <Form method="post" action={action} className="botones">
        <Campos {...pending} />
        {cancelar === undefined ? (
          <button className="boton" type="submit" name="confirmado" value="0" data-no>
            No
          </button>
        ) : (
          <a className="boton" href={cancelar} data-no>
            No
          </a>
        )}
        <button
          className="boton"
          data-tono={pending.destruye ? 'mal' : 'acento'}
          type="submit"
          name="confirmado"
          value="1"
        >
          Si
        </button>
      </Form>
    </section>
  );
}

/** Everything that was sent, as hidden fields. */
const Campos = ({ campos }: PendingConfirmation) =>
  campos.map(([name, value], at) => <input key={at} type="hidden" name={name} value={value} />);

/**
 * The question of the server's answer: a dialog where scripts sent the form, a step of the page where the browser did. A no comes back to the form with the
 * typed text.
 */
export function Preguntada({ pending }: { pending: PendingConfirmation }) {
  const script = useRef(useHydrated()).current;
  const form = useRef<HTMLFormElement>(null);
  const [answered, setAnswered] = useState<PendingConfirmation>();
  const [confirmado, setConfirmado] = useState<'0' | '1'>();
  useEffect(() => {
    if (confirmado === undefined) return;
    form.current?.requestSubmit();
    setConfirmado(undefined);
  }, [confirmado]);
  if (!script) return <ConfirmStep pending={pending} />;
  return (
    <>
      <Form ref={form} method="post" hidden>
        <Campos {...pending} />
        {confirmado !== undefined && <input type="hidden" name="confirmado" value={confirmado} />}
      </Form>
      {answered !== pending && (
        <Question
          {...pending}
          onAnswer={(yes) => {
            setAnswered(pending);
            setConfirmado(yes ? '1' : '0');
          }}
        />
      )}
    </>
  );
}
