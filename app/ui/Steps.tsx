import { Link } from '@remix-run/react';
import type { MouseEvent, ReactNode } from 'react';
import { isTouched } from './escrito';
import { SinEnter } from './SinEnter';
import { useAnswer } from './useAnswer';
import { useEstatica } from './useEstatica';

export type Step = {
  titulo: string;
  /** The address; undefined while the step cannot be opened yet. */ href?: string;
  actual: boolean;
  hecho: boolean;
};

type Props = {
  pasos: Step[];
  /** The id of the open step's form: a press in the header saves the form and goes on from there. */
  formulario?: string | undefined;
  /** The form asks before it acts, so Enter in its fields sends nothing. */
  sinEnter?: boolean;
};

/** The header of a stepper: a step opens once the steps before it are saved. */
export function Steps({ pasos, formulario, sinEnter = false }: Props) {
  const refused = useAnswer(formulario ?? '')?.status === 'error';
  const actual = pasos.findIndex((paso) => paso.actual);
  return (
    <>
      {/* Enter in a field presses the first button of its form in the document, which must not be a button of the header. */}
      {formulario !== undefined && sinEnter && <SinEnter form={formulario} />}
      {formulario !== undefined && !sinEnter && (
        <button type="submit" form={formulario} className="oculto" tabIndex={-1} aria-hidden="true">
          Continuar
        </button>
      )}
      <ol className="pasos" aria-label="Pasos">
        {pasos.map(({ titulo, href, actual: isActual, hecho: saved }, at) => {
          // A step with an error is never ticked, though it was saved before.
          const hecho = saved && !(isActual && refused);
          const content = (
            <>
              <Numero at={at} hecho={hecho} />
              <span className="de">
                Paso {at + 1} de {pasos.length} ·
              </span>{' '}
              {titulo}
            </>
          );
          return (
            <li key={titulo} data-hecho={hecho || undefined} aria-current={isActual ? 'step' : undefined}>
              <Way
                {...{
                  href: isActual ? undefined : href,
                  to: at + 1,
                  formulario: refused && at < actual ? undefined : formulario,
                }}
              >
                {content}
              </Way>
            </li>
          );
        })}
      </ol>
    </>
  );
}

/** A form that was refused once may be left backwards as it is; its typed text is kept for the way back. */
function Way({
  href,
  to,
  formulario,
  children,
}: {
  href: string | undefined;
  to: number;
  formulario: string | undefined;
  children: ReactNode;
}) {
  const estatica = useEstatica();
  if (href === undefined) return <span>{children}</span>;
  if (formulario === undefined) return <Link to={href}>{children}</Link>;
  return (
    <>
      <button
        type="submit"
        form={formulario}
        formNoValidate
        name="ir"
        value={to}
        {...(!estatica && { className: 'solo-sin-js' })}
      >
        {children}
      </button>
      {!estatica && (
        <Link to={href} className="solo-js" onClick={(event) => saveFirst(event, formulario, to)}>
          {children}
        </Link>
      )}
    </>
  );
}

/** The form is saved only where something typed is not saved yet. */
function saveFirst(event: MouseEvent, formulario: string, to: number): void {
  const form = document.getElementById(formulario);
  if (!(form instanceof HTMLFormElement) || !isTouched(form)) return;
  event.preventDefault();
  const ir = document.createElement('button');
  Object.assign(ir, { type: 'submit', name: 'ir', value: String(to), hidden: true, formNoValidate: true });
  form.append(ir);
  form.requestSubmit(ir);
  ir.remove();
}

function Numero({ at, hecho }: { at: number; hecho: boolean }) {
  return <b aria-hidden="true">{hecho ? '✓' : at + 1}</b>;
}
