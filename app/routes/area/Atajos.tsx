import { Form, useLocation } from '@remix-run/react';
import { useId } from 'react';
import { useArea } from '~/access/useArea';
import { focusOn, headingIn } from '~/ui/foco';
import { Hidden } from '~/ui/useAnswer';
import { useModal } from '~/ui/useModal';

const GRUPOS: { titulo: string; teclas: [string, string][] }[] = [
  {
    titulo: 'En cualquier pantalla',
    teclas: [
      ['Ctrl K', 'Buscar o ir a…'],
      ['Ctrl Enter', 'El botón principal del formulario o de la pregunta'],
      ['?', 'Estos atajos'],
    ],
  },
  {
    titulo: 'En una lista',
    teclas: [
      ['/', 'Buscar en la lista'],
      ['J  K', 'Fila siguiente, fila anterior'],
      ['Enter', 'Abrir la fila'],
      ['.', 'Menú de la fila'],
      ['X', 'Elegir la fila'],
      ['C', 'Copiar el número de la fila'],
      ['E  F2', 'Cambiar en la fila'],
      ['Shift ↑ ↓', 'Elegir varias seguidas'],
      ['Esc', 'Quitar la selección'],
    ],
  },
  {
    titulo: 'En el panel de un registro',
    teclas: [
      ['[  ]', 'Registro anterior, registro siguiente'],
      ['E', 'Editar'],
      ['W', 'Panel ancho o angosto'],
      ['Esc', 'Cerrar'],
    ],
  },
];

type Props = { destinos: { letra: string; label: string }[]; onClose: () => void };

/** The dialog of all keys, with the switch of the one-letter keys. */
export default function Atajos({ destinos, onClose }: Props) {
  const titleId = useId();
  const area = useArea();
  const { pathname, search } = useLocation();
  const modal = useModal((dialog) => focusOn(headingIn(dialog)));
  const activas = document.querySelector('.marco[data-teclas="no"]') === null;
  const ir: [string, string][] = destinos.map(({ letra, label }) => [`G  ${letra.toUpperCase()}`, label]);
  return (
    <dialog ref={modal} className="dialogo" data-ancho="grande" aria-labelledby={titleId} onClose={onClose}>
      <header>
        <h2 id={titleId} tabIndex={-1}>
          Atajos de teclado
        </h2>
      </header>
      <div className="cuerpo">
        <div className="atajos">
          {[...GRUPOS, { titulo: 'Ir a', teclas: ir }].map(({ titulo, teclas }) => (
            <section key={titulo}>
              <h3>{titulo}</h3>
              <dl>
                {teclas.map(([tecla, que]) => (
                  <div key={tecla}>
                    <dt>
                      {tecla.split('  ').map((una) => (
                        <kbd key={una}>{una}</kbd>
                      ))}
                    </dt>
                    <dd>{que}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <p className="nota">No hacen nada mientras escribes en un campo.</p>
        <div className="botones">
          <Form method="post" action={`${area}/preferencias`} onSubmit={onClose}>
            <Hidden intent="teclas" teclas={!activas} volver={pathname + search} />
            <button type="submit" className="boton">
              {activas ? 'Apagar las teclas de una letra' : 'Usar las teclas de una letra'}
            </button>
          </Form>
          <button type="button" className="boton" onClick={onClose}>
            Cerrar
          </button>
        </div>
      </div>
    </dialog>
  );
}
