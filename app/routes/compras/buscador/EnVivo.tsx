import { Form, Link, useLocation } from '@remix-run/react';
import { useCallback, useEffect } from 'react';
import { writeCount } from '~/core/count';
import { withParams, type Wire } from '~/core/list';
import { MARKETS } from '~/core/market';
import type { askProveedores } from '~/domain/compras/catalogo/buscador.server';
import { nombreCorto } from '~/domain/compras/catalogo/producto';
import { Edad } from '~/ui/Edad';
import { ConRetrato } from '~/ui/lista/ConRetrato';
import { Hidden } from '~/ui/useAnswer';
import { useHydrated } from '~/ui/useHydrated';
import { useLookUp } from '~/ui/useLookUp';
import { Piezas, PrecioProveedor } from '~/routes/compras/productos/Precio';
import { PrecioEn } from './Hallados';

type Respuesta = Wire<Awaited<ReturnType<typeof askProveedores>>>;
type Props = {
  proveedor: string;
  label: string;
  q: string;
  area: string;
  /** The answer that came with the page. */ inicial: Respuesta | null;
};

/** The live answer of one supplier. Asking keeps nobody waiting; without scripts a link asks the supplier. A failure is told in place of the answer. */
export function EnVivo({ proveedor, label, q, area, inicial }: Props) {
  const { search } = useLocation();
  const hydrated = useHydrated();
  const { ask, found, failed } = useLookUp<Respuesta>();
  const preguntar = useCallback(
    () => ask(q, `${area}/buscadorVivo/${encodeURIComponent(proveedor)}?${new URLSearchParams({ q })}`),
    [ask, area, proveedor, q],
  );
  useEffect(() => {
    if (!inicial) preguntar();
  }, [inicial, preguntar]);
  const respuesta = failed ? 'fallo' : (found?.answer ?? inicial);

  return (
    <section className="hoja" aria-label={`${label}, ahora mismo`} aria-busy={hydrated && respuesta === null}>
      <h3>{label}</h3>
      {respuesta === null ? (
        hydrated ? (
          <span className="hueso" role="status" aria-label="Preguntando" />
        ) : (
          <Link to={withParams(search, { vivo: proveedor, ver: null })} preventScrollReset>
            Preguntar a {label}
          </Link>
        )
      ) : respuesta === 'fallo' ? (
        <Falla porque="No hubo respuesta." otraVez={preguntar} />
      ) : respuesta.clase === 'falla' ? (
        <Falla porque={respuesta.porque} otraVez={preguntar} />
      ) : respuesta.clase === 'sinBusqueda' ? (
        <p className="nota">No busca por palabras: lo que vende está en su catálogo, arriba.</p>
      ) : (
        <Leidos proveedor={proveedor} respuesta={respuesta} />
      )}
    </section>
  );
}

function Falla({ porque, otraVez }: { porque: string; otraVez: () => void }) {
  return (
    <div role="alert">
      <strong>Error al buscar</strong>
      <p>{porque}</p>
      <button type="button" className="boton solo-js" onClick={otraVez}>
        Reintentar
      </button>
    </div>
  );
}

type Leida = Extract<Respuesta, { clase: 'leido' | 'releido' }>;

function Leidos({ proveedor, respuesta }: { proveedor: string; respuesta: Leida }) {
  const { search } = useLocation();
  const { items, en } = respuesta;
  const ilegibles = respuesta.clase === 'leido' ? respuesta.ilegibles.length : 0;
  const total = respuesta.clase === 'leido' ? respuesta.total : null;
  if (items.length === 0)
    return (
      <p role="status">
        No se encontro un producto <Edad valor={en} />
        {ilegibles > 0 && ` (${ilegibles} no se pudieron leer)`}
      </p>
    );
  return (
    <>
      <p className="nota" role="status">
        {respuesta.clase === 'releido'
          ? `${respuesta.busco ? 'Su búsqueda no halló nada. ' : ''}Los de nuestro catálogo, leídos otra vez `
          : total !== null && total > items.length
            ? `Los primeros ${items.length} de ${writeCount(total)}, `
            : `${items.length === 1 ? '1 producto' : `${items.length} productos`}, `}
        <Edad valor={en} />
        {ilegibles > 0 && `; ${ilegibles} no se pudieron leer`}
      </p>
      <ul className="vivos">
        {items.map((item) => (
          <li key={item.idProveedor}>
            <ConRetrato lado={item.alLado}>
              {item.id === null ? (
                nombreCorto(item.nombre)
              ) : (
                <Link to={withParams(search, { ver: item.id, editar: null })} preventScrollReset discover="none">
                  {nombreCorto(item.nombre)}
                </Link>
              )}
              <div className="nota">
                {[...new Set([item.marca, item.modelo, item.idProveedor].filter(Boolean))].join(' · ')}
              </div>
            </ConRetrato>
            <div className="cifras">
              <PrecioProveedor {...item} />
              <div className="nota">
                <Piezas {...item} /> {item.existencia === 1 ? 'pieza' : 'piezas'}
              </div>
            </div>
            <div className="cifras">
              <PrecioEn precio={item.precios[MARKETS[0]]} />
            </div>
            <Form method="post" preventScrollReset>
              <Hidden intent="leer" proveedor={proveedor} idProveedor={item.idProveedor} />
              <button type="submit" className="boton" aria-label={`Actualizar producto ${nombreCorto(item.nombre)}`}>
                Actualizar producto
              </button>
            </Form>
          </li>
        ))}
      </ul>
    </>
  );
}
