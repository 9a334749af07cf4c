import { TextInput } from '@mantine/core';
import { Form, useLocation, useNavigate } from '@remix-run/react';
import { useEffect, useRef, type ReactNode } from 'react';
import { writeCount } from '~/core/count';
import { withParams, type ListFilter } from '~/core/list';
import { focusOn } from '../foco';
import { HiddenParams } from '../HiddenParams';
import { Icono } from '../Icono';
import { useColgado } from '../useColgado';
import { useTeclas } from '../useTeclas';

type Props = {
  filtro: ListFilter;
  /** The number of rows; null while they are counted. */ total: number | null;
  /** Out of how many. */ de?: number | undefined;
  /** The number of active filters. */ filtros: number;
  label: string;
  placeholder?: string;
  children?: ReactNode;
  /** The filters are longer than the line of the bar: on a desk too they wait behind 'Filtros'. */
  plegados?: boolean | undefined;
  /** The acts on the whole list. */ actions?: ReactNode;
};

const REST_MS = 300;

/**
 * Search box, the list's own filters and how many rows there are, on one line whatever stands beside the list. The box is a GET form; with JavaScript it asks
 * 300 ms after the last key.
 */
export function Toolbar({ filtro, total, de, filtros, label, placeholder, children, plegados, actions }: Props) {
  const { search } = useLocation();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const asked = useRef(filtro.q);
  const address = useRef(search);
  address.current = search;

  const ask = () => {
    clearTimeout(timer.current);
    const q = input.current?.value.trim() ?? '';
    if (q === asked.current) return;
    // A search makes one history entry, and not one for each key.
    const replace = asked.current !== '';
    asked.current = q;
    navigate(withParams(address.current, { q, pagina: null, ver: null }), { replace, preventScrollReset: true });
  };
  const askSoon = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(ask, REST_MS);
  };

  // Back and forward bring another search. The box follows, unless somebody is typing the next search.
  useEffect(() => {
    if (filtro.q === asked.current) return;
    asked.current = filtro.q;
    clearTimeout(timer.current);
    if (input.current) input.current.value = filtro.q;
  }, [filtro.q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useTeclas({
    '/': () => {
      // On a narrow screen it is in the sheet of the filters.
      if (!input.current?.checkVisibility({ visibilityProperty: true })) window.location.hash = 'filtros';
      input.current?.select();
      focusOn(input.current);
    },
  });
  const { deBoton, dePanel } = useColgado(Boolean(children));
  const resultados = total === 1 ? 'resultado' : 'resultados';

  const puestos = filtros > 0 && ` (${filtros})`;

  // Search and filters stand in the bar; on a telephone they are a sheet that the address opens, with and without scripts. Filters act at once, and the sheet
  // stays open until the person has seen the number of results. Filters for which the line is too short hang from a button, which the browser itself opens.
  return (
    <div className="lista-barra" data-plegados={plegados || undefined}>
      <a className="boton abre-filtros" href="#filtros">
        <Icono nombre={children ? 'filtros' : 'buscar'} />
        {children ? 'Filtros' : 'Buscar'}
        {puestos}
      </a>
      <div className="lista-filtros" id="filtros">
        <header>
          <strong>{children ? 'Filtros' : 'Buscar'}</strong>
          <a href="#lista" aria-label="Cerrar los filtros">
            <Icono nombre="cerrar" />
          </a>
        </header>
        <Form
          method="get"
          role="search"
          aria-label={`Búsqueda en ${label}`}
          className="lista-busqueda"
          onSubmit={(event) => {
            event.preventDefault();
            ask();
          }}
        >
          <HiddenParams search={search} without={['q', 'pagina', 'ver']} />
          <TextInput
            ref={input}
            type="search"
            name="q"
            label="Buscar"
            aria-label={`Buscar en ${label}`}
            defaultValue={filtro.q}
            onChange={askSoon}
            maxLength={100}
            autoComplete="off"
            placeholder={placeholder}
          />
          <noscript>
            <button className="boton" type="submit">
              Buscar
            </button>
          </noscript>
        </Form>
        {children && (
          <>
            <button type="button" className="boton junta-filtros" {...deBoton}>
              <Icono nombre="filtros" />
              Filtros
              {puestos}
            </button>
            <div {...dePanel} className="emergente lista-mas">
              {children}
            </div>
          </>
        )}
        <a className="boton ver-resultados" href="#lista" data-tono="acento">
          {total === null ? 'Ver resultados' : `Ver ${writeCount(total)} ${resultados}`}
        </a>
      </div>
      <div className="lista-cuenta">
        <p role="status">
          {total === null
            ? 'Contando…'
            : de === undefined
              ? registros(total)
              : `${writeCount(total)} de ${writeCount(de)}`}
        </p>
        {actions}
      </div>
    </div>
  );
}

const registros = (total: number) => `${writeCount(total)} ${total === 1 ? 'registro' : 'registros'}`;
