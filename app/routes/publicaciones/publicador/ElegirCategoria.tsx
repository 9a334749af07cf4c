import { TextInput } from '@mantine/core';
import { Form, Link, useLocation } from '@remix-run/react';
import { useState } from 'react';
import { withParams, type Wire } from '~/core/list';
import { MERCADOS } from '~/domain/mercados/mercados';
import type { Categoria } from '~/domain/mercados/publicador';
import type { Eleccion } from '~/domain/publicaciones/publicador/categorias.server';
import type { Vista } from '~/domain/publicaciones/publicador/borrador.server';
import { Boton } from '~/ui/Boton';
import { Panel } from '~/ui/Blocks';
import { Visto } from '~/ui/Choque';
import { HiddenParams } from '~/ui/HiddenParams';
import { Titular } from '~/ui/Titular';
import { useHydrated } from '~/ui/useHydrated';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { idDeCampo, Rechazos, useRefused } from './Rechazos';

const rutaOf = ({ ruta }: Pick<Categoria, 'ruta'>) => ruta.map(({ nombre }) => nombre).join(' › ');

/** Step 1: what the marketplace suggests, or the tree walked by hand. */
export function ElegirCategoria({ vista }: { vista: Wire<Vista> }) {
  const { market, eleccion, categoria, producto, borrador, formulario } = vista;
  const suyos = borrador.problemas.filter(({ campo }) => campo === 'categoria');
  const step = useRefused(suyos);
  if (!eleccion) return null;
  // True where the marketplace sells on catalogue pages, which a code names.
  const porCodigo = !MERCADOS[market].publicaciones.tituloPropio;
  return (
    <section className="hoja" ref={step}>
      <Titular>{porCodigo ? 'Elige la ficha o la categoría' : 'Elige la categoría'}</Titular>
      {porCodigo && (
        <p className="nota">
          Si el producto ya tiene ficha, se ofrece en ella: búscala por su código de barras. Si no, se crea una nueva.
        </p>
      )}
      {categoria && (
        <p className="nota">
          Elegida: <strong>{rutaOf(categoria)}</strong>
        </p>
      )}
      <Rechazos problemas={suyos} campos={formulario?.campos ?? []} />
      <Arbol
        eleccion={eleccion}
        rechazada={suyos.length > 0}
        intent="categoria"
        actual={categoria?.id ?? null}
        marcas={{ version: borrador.version }}
        campos={{ producto: producto.id }}
        boton="Guardar"
        {...(porCodigo && { busca: 'Qué se vende, o su código de barras', nombre: 'Ficha o categoría' })}
      />
    </section>
  );
}

type ArbolProps = {
  eleccion: Eleccion;
  intent: string;
  actual: string | null;
  /** Of the record whose category it is; absent where no record has it yet. */ marcas?: { version: number };
  campos: Record<string, string>;
  boton: string;
  /** True where the marketplace refused the chosen category. */ rechazada?: boolean;
  /** Of the field of words. */ busca?: string;
  /** The name of the hidden field that holds the choice. */ nombre?: string;
};

/** The search, the suggestions with their path, and the tree with its breadcrumb. The form sends the chosen category. */
export function Arbol({
  eleccion,
  intent,
  actual,
  marcas,
  campos,
  boton,
  rechazada = false,
  busca = 'Qué se vende',
  nombre = 'Categoría',
}: ArbolProps) {
  const { search } = useLocation();
  const { nodo, sugeridas, raices, falla, fallaArbol, q } = eleccion;
  const hayArbol = nodo !== null || raices.length > 0;
  const rama = (id: string | null) => withParams(search, { nodo: id });
  const form = useActionForm<{ categoriaId: string }>(intent);
  const hydrated = useHydrated();
  const elegibles = [...(nodo?.publicable ? [nodo] : []), ...sugeridas.filter(({ id }) => id !== nodo?.id)];
  const deInicio = elegibles.find((una, at) => una.id === actual || (actual === null && at === 0 && !una.parecida))?.id;
  // The choice belongs to the list it was made in.
  const lista = elegibles.map(({ id }) => id).join(' ');
  const [elegida, setElegida] = useState<{ lista: string; id: string }>();
  const hay = elegida?.lista === lista || deInicio !== undefined;
  return (
    <div className="apilado">
      <Form method="get" className="publicador-buscar" preventScrollReset>
        <HiddenParams search={search} without={['buscar', 'nodo']} />
        <TextInput name="buscar" defaultValue={q} label={busca} type="search" key={q} />
        <Boton type="submit">BUSCAR CATEGORIAS</Boton>
      </Form>
      {(falla ?? fallaArbol) && (
        <Panel
          tono={falla && !hayArbol ? 'mal' : 'aviso'}
          titulo={
            !falla ? 'El árbol no llegó' : hayArbol ? 'La sugerencia no llegó' : 'No se pudieron leer las categorías'
          }
        >
          {falla ?? fallaArbol} <Link to={search}>Pedirla otra vez</Link>
          {hayArbol && falla && ', o elige en el árbol de abajo'}.
        </Panel>
      )}
      <ActionForm of={form} className="apilado">
        {marcas && <Visto of={form} marcas={marcas} />}
        <Hidden {...campos} />
        <fieldset
          className="grupo"
          id={idDeCampo('categoria')}
          aria-invalid={rechazada || form.fields.categoriaId.errors ? true : undefined}
        >
          <legend>{nombre}</legend>
          {elegibles.length === 0 && !falla && (
            <p className="nota">
              Nada se parece a «{q}». Prueba con otras palabras{raices.length > 0 && ', o busca en el árbol'}.
            </p>
          )}
          {elegibles.map((una) => (
            <label key={una.id} className="publicador-opcion">
              <input
                type="radio"
                name="categoriaId"
                value={una.id}
                defaultChecked={una.id === deInicio}
                onChange={() => setElegida({ lista, id: una.id })}
              />
              <span>
                {una.nombre}
                {una.ruta.length > 1 && (
                  <small>
                    {rutaOf({ ruta: una.ruta.slice(0, -1) })}
                    {una.parecida && ' · solo se parece: revisa que sea el mismo producto'}
                  </small>
                )}
              </span>
            </label>
          ))}
          {form.fields.categoriaId.errors?.map((error) => (
            <p key={error} className="publicador-error" role="alert">
              {error}
            </p>
          ))}
        </fieldset>
        {hayArbol && (
          <nav aria-label="Árbol de categorías" className="publicador-arbol">
            <ol className="publicador-migas">
              <li>{nodo ? <Link to={rama(null)}>Todas</Link> : <span aria-current="true">Todas</span>}</li>
              {nodo?.ruta.map((una) => (
                <li key={una.id}>
                  {una.id === nodo.id ? (
                    <span aria-current="true">{una.nombre}</span>
                  ) : (
                    <Link to={rama(una.id)} preventScrollReset>
                      {una.nombre}
                    </Link>
                  )}
                </li>
              ))}
            </ol>
            <ul>
              {(nodo?.hijas ?? raices).map((una) => (
                <li key={una.id}>
                  <Link to={rama(una.id)} preventScrollReset>
                    {una.nombre}
                  </Link>
                </li>
              ))}
            </ul>
            {nodo?.publicable && <p className="nota">Es una categoría final: ya se puede elegir arriba.</p>}
          </nav>
        )}
        <div className="botones">
          <Boton tono="acento" type="submit" data-principal disabled={hydrated ? !hay : elegibles.length === 0}>
            {boton}
          </Boton>
        </div>
      </ActionForm>
    </div>
  );
}
