import { Form, useLocation, useSubmit } from '@remix-run/react';
import { useLayoutEffect, useRef } from 'react';
import { ANCHO, sortColumnas } from '~/core/columnas';
import { focusOn } from '../foco';
import { Hidden } from '../useAnswer';
import { useServed } from '../useServed';

/** A column as the form of columns knows it. */
export type Elegible = {
  clave: string;
  nombre: string;
  /** The list's own width, in px. */
  ancho: number | undefined;
  /** Always in sight. */
  fija: boolean;
};

type Props = {
  columns: Elegible[];
  /** As the list came: `core/columnas`. */
  columnas: string | null;
  action: string;
  /** Where a page without scripts goes to have it shut. */
  cerrar: string;
};

/**
 * The form of the columns: visibility, order and width. A change is sent at once with JavaScript, and by the form's button without. The arrows are buttons of
 * the form.
 */
export default function Columnas({ columns, columnas, action, cerrar }: Props) {
  const { pathname, search } = useLocation();
  const submit = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  const moved = useRef<string | null>(null);
  const own = new Map(columns.map((column) => [column.clave, column]));
  const rows = sortColumnas([...own.keys()], columnas ?? '');
  const volver = pathname + search;

  // Moving a row took its button away from under the keyboard.
  useLayoutEffect(() => {
    const row = moved.current && form.current?.querySelector<HTMLElement>(`[data-clave="${moved.current}"] input`);
    moved.current = null;
    if (row && !form.current?.contains(document.activeElement)) focusOn(row);
  }, [columnas]);

  return (
    <section className="columnas" aria-label="Columnas">
      <Form
        ref={form}
        id="columnas"
        method="post"
        action={action}
        replace
        preventScrollReset
        onChange={({ currentTarget }) => {
          if (currentTarget.checkValidity()) submit(currentTarget, { replace: true, preventScrollReset: true });
        }}
        onClick={({ target }) => {
          const [how, clave] = target instanceof HTMLButtonElement ? target.value.split('-') : [];
          if ((how === 'subir' || how === 'bajar') && clave) moved.current = clave;
        }}
      >
        <Hidden intent="columnas" volver={volver} />
        <ol>
          {rows.map(({ clave, oculta, ancho }, at) => {
            const column = own.get(clave)!;
            const { nombre, fija } = column;
            const campo = `columnas[${at}]`;
            return (
              <li key={clave} data-clave={clave}>
                <Hidden {...{ [`${campo}.clave`]: clave }} />
                <label>
                  {fija ? (
                    <>
                      <Hidden {...{ [`${campo}.ver`]: 'on' }} />
                      <input className="casilla" type="checkbox" defaultChecked disabled />
                    </>
                  ) : (
                    <Casilla name={`${campo}.ver`} visible={!oculta} />
                  )}
                  {nombre}
                </label>
                <Medida name={`${campo}.ancho`} nombre={nombre} ancho={ancho} propio={column.ancho} />
                <button
                  type="submit"
                  className="boton"
                  name="mover"
                  value={`subir-${clave}`}
                  aria-label={`Subir ${nombre}`}
                  disabled={at === 0}
                >
                  ↑
                </button>
                <button
                  type="submit"
                  className="boton"
                  name="mover"
                  value={`bajar-${clave}`}
                  aria-label={`Bajar ${nombre}`}
                  disabled={at === rows.length - 1}
                >
                  ↓
                </button>
              </li>
            );
          })}
        </ol>
      </Form>
      <div className="botones">
        <Form method="post" action={action} replace preventScrollReset>
          <Hidden intent="restablecer" volver={volver} />
          <button type="submit" className="boton" disabled={columnas === null}>
            Restablecer
          </button>
        </Form>
        <noscript>
          <button type="submit" form="columnas" className="boton" data-tono="acento">
            Guardar
          </button>
          <a className="boton" href={cerrar}>
            Cerrar
          </a>
        </noscript>
      </div>
    </section>
  );
}

function Casilla({ name, visible }: { name: string; visible: boolean }) {
  return <input ref={useServed(visible)} className="casilla" type="checkbox" name={name} defaultChecked={visible} />;
}

type Ancho = {
  name: string;
  nombre: string;
  /** The person's own width, in px. */
  ancho: number | null | undefined;
  /** The list's own width, in px. */
  propio: number | undefined;
};

function Medida({ name, nombre, ancho, propio }: Ancho) {
  const served = String(ancho ?? '');
  return (
    <input
      ref={useServed(served)}
      type="number"
      name={name}
      aria-label={`Ancho de ${nombre}`}
      placeholder={String(propio ?? 'Auto')}
      defaultValue={served}
      {...ANCHO}
      step={1}
    />
  );
}
