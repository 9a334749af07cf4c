import { Form } from '@remix-run/react';
import type { FormEvent } from 'react';
import { DENSIDADES, type Densidad } from '~/core/aspecto';
import type { Vista } from '~/core/vistas';
import type { RolConNombre } from '../Compartir';
import { Hidden } from '../useAnswer';

const DENSIDAD: Record<Densidad, string> = { compacta: 'Compacta', normal: 'Normal', amplia: 'Amplia' };

type Props = {
  /** The view that is changed; without it the form makes a new one. */
  vista?: Vista;
  compartir: RolConNombre[] | null;
  action: string;
  volver: string;
  cerrar: string;
};

/** The box closes once its form is sent. */
const shut = (event: FormEvent<HTMLFormElement>) =>
  event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();

/** The form of a view: its name, its row height, and who shares it. */
export default function GuardarVista({ vista, compartir, action, volver, cerrar }: Props) {
  const densidad = new URL(volver, 'http://nadie.invalid').searchParams.get('densidad') ?? '';
  return (
    <section className="guardar-vista" aria-label={vista ? `Editar la vista ${vista.nombre}` : 'Guardar vista'}>
      <Form method="post" action={action} onSubmit={shut} replace preventScrollReset>
        <Hidden intent="guardarVista" id={vista?.id} volver={volver} />
        <label>
          Nombre
          <input name="nombre" required maxLength={40} defaultValue={vista?.nombre} autoComplete="off" />
        </label>
        <label>
          Filas
          <select name="densidad" defaultValue={densidad}>
            <option value="">Como las tenga cada quien</option>
            {DENSIDADES.map((one) => (
              <option key={one} value={one}>
                {DENSIDAD[one]}
              </option>
            ))}
          </select>
        </label>
        {compartir && (
          <table>
            <caption>Compartir</caption>
            <thead>
              <tr>
                <th scope="col">Rol</th>
                <th scope="col">La ve</th>
                <th scope="col">Es su inicial</th>
              </tr>
            </thead>
            <tbody>
              {compartir.map(({ rol, nombre }) => (
                <tr key={rol}>
                  <th scope="row">{nombre}</th>
                  {(['roles', 'iniciales'] as const).map((campo) => (
                    <td key={campo}>
                      <input
                        className="casilla"
                        type="checkbox"
                        name={campo}
                        value={rol}
                        defaultChecked={vista?.[campo].includes(rol)}
                        aria-label={campo === 'roles' ? `La ve ${nombre}` : `Es la inicial de ${nombre}`}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <div className="botones">
          <button type="submit" className="boton" data-tono="acento">
            Guardar
          </button>
          <noscript>
            <a className="boton" href={cerrar}>
              Cerrar
            </a>
          </noscript>
        </div>
      </Form>
      {vista && (
        <details>
          <summary>Eliminar</summary>
          <Form method="post" action={action} onSubmit={shut} replace preventScrollReset>
            <Hidden intent="eliminarVista" id={vista.id} volver={volver} />
            <button type="submit" className="boton" data-tono="mal">
              Eliminar la vista {vista.nombre}
            </button>
          </Form>
        </details>
      )}
    </section>
  );
}
