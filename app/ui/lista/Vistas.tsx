import { Form, Link, useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { withParams } from '~/core/list';
import { direccionDe, estadoDe, SIN_VISTA, type Vista } from '~/core/vistas';
import { useCompartir } from '../Compartir';
import { Icono } from '../Icono';
import { perezoso } from '../perezoso';
import { Hidden } from '../useAnswer';
import { Emergente } from './Emergente';

const { Part: GuardarVista, anticipar } = perezoso('GuardarVista', () => import('./GuardarVista'));

type Props = {
  vistas: Vista[];
  campos: string[];
  lista: string;
  action: string;
  /** What else is chosen for the whole list. */
  children: ReactNode;
};

/** The views of a list as tabs, each an address; the first is the list without any. What the address says beyond its view can be kept. */
export function Vistas({ lista, vistas, campos, action, children }: Props) {
  const compartir = useCompartir(lista);
  const { pathname, search } = useLocation();
  const estado = estadoDe(search, campos);
  const actual = vistas.find(({ id }) => id === new URLSearchParams(search).get('vista'));
  const changed = actual !== undefined && estadoDe(actual.consulta, campos) !== estado;
  // A role that begins with a view finds the list without any by its name.
  const ninguna = direccionDe(search, campos, null);
  const sinVista = vistas.some(({ iniciales }) => iniciales.length > 0)
    ? withParams(ninguna, { vista: SIN_VISTA })
    : ninguna;
  const guardar = { compartir, action, volver: pathname + search };
  return (
    <div className="lista-vistas">
      <nav aria-label="Vistas">
        <Link to={sinVista} aria-current={actual ? undefined : 'page'} preventScrollReset discover="none">
          Todas
        </Link>
        {vistas.map((vista) => (
          <Link
            key={vista.id}
            to={direccionDe(search, campos, vista)}
            aria-current={vista === actual ? 'page' : undefined}
            title={vista.roles.length > 0 ? 'Compartida' : undefined}
            preventScrollReset
            discover="none"
          >
            {vista.roles.length > 0 && <Icono nombre="usuarios" />}
            {vista.nombre}
          </Link>
        ))}
      </nav>
      {changed && (
        <>
          {actual.editable && (
            <Form method="post" action={action} replace preventScrollReset>
              <Hidden intent="actualizarVista" id={actual.id} volver={guardar.volver} />
              <button type="submit" className="boton">
                Guardar cambios
              </button>
            </Form>
          )}
          <Link className="boton" to={direccionDe(search, campos, actual)} preventScrollReset discover="none">
            Descartar
          </Link>
        </>
      )}
      {actual?.editable && !changed && (
        <Emergente key="editar" nombre="editarVista" boton="Editar vista" anticipar={anticipar}>
          {(cerrar) => <GuardarVista key={actual.id} {...guardar} vista={actual} cerrar={cerrar} />}
        </Emergente>
      )}
      {estado !== '' && (!actual || changed) && (
        <Emergente
          key="guardar"
          nombre="guardarVista"
          boton={actual ? 'Guardar como nueva' : 'Guardar vista'}
          anticipar={anticipar}
        >
          {(cerrar) => <GuardarVista key={search} {...guardar} cerrar={cerrar} />}
        </Emergente>
      )}
      {children}
    </div>
  );
}
