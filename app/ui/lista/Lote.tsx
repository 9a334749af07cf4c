import { Form, useLocation } from '@remix-run/react';
import { writeCount } from '~/core/count';
import { withParams } from '~/core/list';
import { useHydrated } from '../useHydrated';
import { Hidden } from '../useAnswer';
import { useTeclas } from '../useTeclas';
import type { Seleccion } from './useSeleccion';

/** An act on several rows of a list, by the word its server knows. */
export type AccionDeLote = { hacer: string; boton: string };

type Props = {
  id: string;
  lista: string;
  area: string;
  query: string;
  corte: string;
  total: number;
  acciones: readonly AccionDeLote[];
  seleccion: Seleccion;
  /** How many of the chosen rows the list shows as it is filtered now. */
  aLaVista: number;
};

/**
 * The bar of acts on the chosen rows, at the foot of the table. The boxes are fields of this form wherever they stand, so it works without JavaScript. 'All' is
 * sent as the filter and the moment of opening the list: the server finds the rows.
 */
export function Lote({ id, lista, area, query, corte, total, acciones, seleccion, aLaVista }: Props) {
  const hydrated = useHydrated();
  const { search } = useLocation();
  const { elegidas, todos, cuantas, elegirTodos, vaciar } = seleccion;
  const fuera = todos ? 0 : elegidas.size - aLaVista;
  return (
    <Form
      method="post"
      action={`${area}/lote`}
      id={id}
      className="lista-lote"
      hidden={hydrated && cuantas === 0}
      aria-label="Con las elegidas"
    >
      <Hidden
        intent="preparar"
        lista={lista}
        consulta={consultaOf(search, query)}
        corte={corte}
        todos={todos || undefined}
      />
      {hydrated && !todos && [...elegidas].map((key) => <input key={key} type="hidden" name="fila" value={key} />)}
      {hydrated ? (
        <span role="status">
          {writeCount(cuantas)} {cuantas === 1 ? 'seleccionada' : 'seleccionadas'}
          {fuera > 0 && `, ${writeCount(fuera)} fuera de esta vista`}
        </span>
      ) : (
        <span>Con las elegidas:</span>
      )}
      {hydrated && cuantas > 0 && !todos && total > cuantas && (
        <button type="button" className="boton" onClick={elegirTodos}>
          Seleccionar los {writeCount(total)} resultados
        </button>
      )}
      {!hydrated && total > 0 && (
        <label>
          <input className="casilla" type="checkbox" name="todos" value="1" /> Los {writeCount(total)} resultados
        </label>
      )}
      {acciones.map(({ hacer, boton }) => (
        <button key={hacer} type="submit" className="boton" name="hacer" value={hacer}>
          {boton}
        </button>
      ))}
      {hydrated && cuantas > 0 && (
        <>
          <button type="button" className="boton" onClick={vaciar} title="Esc">
            Quitar selección
          </button>
          <Vaciar vaciar={vaciar} />
        </>
      )}
    </Form>
  );
}

/** Returns the query of the filtered list with the rest of the screen's address, for the way back. */
const consultaOf = (search: string, query: string) =>
  withParams(search, { ver: null, pagina: null, editar: null, ...Object.fromEntries(new URLSearchParams(query)) });

function Vaciar({ vaciar }: { vaciar: () => void }) {
  useTeclas({ Escape: vaciar });
  return null;
}
