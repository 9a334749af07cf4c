import { Form, Link, useLocation } from '@remix-run/react';
import { useEffect, useState, type ReactNode } from 'react';
import { writeCount } from '~/core/count';
import { MUCHOS, withParams } from '~/core/list';
import { direccionOf, estadoOf, SIN_VISTA, type Vista } from '~/core/vistas';
import { useCompartir } from '../Compartir';
import { Icono } from '../Icono';
import { lazyPart } from '../lazyPart';
import { Hidden } from '../useAnswer';
import { Emergente } from './Emergente';

/** The rows come first. */
const ESPERA_MS = 400;

const { Part: GuardarVista, prefetch } = lazyPart('GuardarVista', () => import('./GuardarVista'));

type Props = {
  /** The views that every person finds. */ fijas: Vista[];
  vistas: Vista[];
  /** 'Todas' or 'Todos', as the noun of the rows asks. */
  todas: string;
  campos: string[];
  lista: string;
  action: string;
  /** The other controls of the whole list. */
  children: ReactNode;
};

/**
 * The views of a list as tabs; each is an address, and the first is the list without a view. A list without views has no tabs. A change of the address beyond
 * its view can be saved.
 */
export function Vistas({ lista, fijas, vistas: guardadas, todas, campos, action, children }: Props) {
  const vistas = [...fijas, ...guardadas];
  const cuentas = useCuentas(fijas, action);
  const compartir = useCompartir(lista);
  const { pathname, search } = useLocation();
  const estado = estadoOf(search, campos);
  const actual = vistas.find(({ id }) => id === new URLSearchParams(search).get('vista'));
  const changed = actual !== undefined && estadoOf(actual.consulta, campos) !== estado;
  // A role whose list begins with a view finds the unfiltered list by a name of its own.
  const ninguna = direccionOf(search, campos, null);
  const sinVista = vistas.some(({ iniciales }) => iniciales.length > 0)
    ? withParams(ninguna, { vista: SIN_VISTA })
    : ninguna;
  const guardar = { compartir, action, volver: pathname + search };
  return (
    <div className="lista-vistas">
      {vistas.length > 0 && (
        <nav aria-label="Vistas">
          <Link to={sinVista} aria-current={actual ? undefined : 'page'} preventScrollReset discover="none">
            {todas}
          </Link>
          {vistas.map((vista) => (
            <Link
              key={vista.id}
              to={direccionOf(search, campos, vista)}
              aria-current={vista === actual ? 'page' : undefined}
              title={vista.roles.length > 0 ? 'Compartida' : undefined}
              preventScrollReset
              discover="none"
            >
              {vista.roles.length > 0 && <Icono nombre="usuarios" />}
              {vista.nombre}
              {fijas.includes(vista) && <Cuantas cuantas={cuentas[vista.id]} />}
            </Link>
          ))}
        </nav>
      )}
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
          <Link className="boton" to={direccionOf(search, campos, actual)} preventScrollReset discover="none">
            Descartar
          </Link>
        </>
      )}
      {actual?.editable && !changed && (
        <Emergente key="editar" nombre="editarVista" boton="Editar vista" prefetch={prefetch}>
          {(cerrar) => <GuardarVista key={actual.id} {...guardar} vista={actual} cerrar={cerrar} />}
        </Emergente>
      )}
      {estado !== '' && (!actual || changed) && (
        <Emergente
          key="guardar"
          nombre="guardarVista"
          boton={actual ? 'Guardar como nueva' : 'Guardar vista'}
          prefetch={prefetch}
        >
          {(cerrar) => <GuardarVista key={search} {...guardar} cerrar={cerrar} />}
        </Emergente>
      )}
      {children}
    </div>
  );
}

/** Returns the number of rows of each view, asked for once the page is idle. A view works without its number. */
function useCuentas(fijas: Vista[], source: string): Record<string, number> {
  const [cuentas, setCuentas] = useState<Record<string, number>>({});
  const asks = fijas.length > 0;
  useEffect(() => {
    if (!asks) return;
    const end = new AbortController();
    const ask = () =>
      void fetch(`${source}?fijas=1`, { signal: end.signal, headers: { Accept: 'application/json' } })
        .then(async (answer) => {
          if (answer.ok && !answer.redirected) setCuentas((await answer.json()) as Record<string, number>);
        })
        .catch(() => undefined);
    const timer = setTimeout(ask, ESPERA_MS);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [asks, source]);
  return cuentas;
}

/** The place of the count is kept from the start, so that nothing moves when the count comes. */
function Cuantas({ cuantas }: { cuantas: number | undefined }) {
  return (
    <span className="cuantas">
      {cuantas !== undefined && (cuantas > MUCHOS ? `${writeCount(MUCHOS)}+` : writeCount(cuantas))}
    </span>
  );
}
