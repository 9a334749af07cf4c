import { Form, Link } from '@remix-run/react';
import { MARKETS } from '~/core/market';
import { MERCADOS } from '~/domain/mercados/mercados';
import { editUrl, estatusOf, tipoOf } from '~/domain/publicaciones/publicaciones/publicacion';
import { Estatus } from '~/ui/Estatus';
import { usePantalla } from '~/ui/Pantallas';
import { Pesos } from '~/ui/Pesos';
import { Hidden } from '~/ui/useAnswer';
import type { ProductoAbierto } from './record';

/** The listings of a product at each marketplace, and the link where people change each. */
export function Publicaciones({ producto }: { producto: ProductoAbierto }) {
  const { id, publicaciones, puede } = producto;
  const [pantalla, publicador] = [usePantalla('publicaciones'), usePantalla('publicadorML')];
  const suyas = MARKETS.toReversed().map((market) => ({
    market,
    filas: publicaciones.filter((una) => una.market === market),
  }));
  return (
    <>
      {suyas.map(({ market, filas }) => (
        <section key={market} className="en-tienda" aria-label={`Publicaciones en ${MERCADOS[market].label}`}>
          <h4>{MERCADOS[market].label}</h4>
          {filas.length === 0 ? (
            <p className="nota">
              No está a la venta.{' '}
              {MERCADOS[market].publicador !== null && publicador && puede.editar && (
                <Link to={`${publicador}?ver=${id}`}>Publicar</Link>
              )}
            </p>
          ) : (
            <ul>
              {filas.map((una) => {
                const { label, tono } = estatusOf(market, una.estatus);
                const nombre = tipoOf(market, una.tipo) ?? una.marketId ?? una.clave;
                return (
                  <li key={una.id}>
                    <div className="cual">
                      {pantalla ? <a href={`${pantalla}?ver=${una.id}`}>{nombre}</a> : <span>{nombre}</span>}
                      <Estatus tono={tono}>{label === 'Pausada' ? 'En Pausa' : label}</Estatus>
                      <span className="nota">
                        {una.marketId ?? una.clave}
                        {una.autoSync && ' · Sincronización automática'}
                      </span>
                    </div>
                    <div className="cifras">
                      <Pesos valor={una.precio} />
                      <span className="nota">
                        {una.stock ?? '—'} {una.stock === 1 ? 'pieza' : 'piezas'}
                      </span>
                    </div>
                    <div className="botones">
                      {una.link && (
                        <a href={una.link} target="_blank" rel="noopener noreferrer" className="boton">
                          Ver
                        </a>
                      )}
                      <a
                        className="boton"
                        href={editUrl(market, una)}
                        target="_blank"
                        rel="noopener noreferrer"
                        aria-label={`Modificar Publicacion ${una.marketId ?? una.clave}`}
                      >
                        Modificar Publicacion
                      </a>
                      {pantalla && (
                        <a
                          className="boton"
                          href={`${pantalla}?ver=${una.id}&editar=datos`}
                          aria-label={`Datos de ${una.marketId ?? una.clave}`}
                        >
                          Datos
                        </a>
                      )}
                    </div>
                  </li>
                );
              })}
            </ul>
          )}
        </section>
      ))}
      {publicaciones.length > 0 && puede.tiendas && (
        <Form method="post" preventScrollReset>
          <Hidden intent="tiendas" id={id} />
          <button type="submit" className="boton">
            Actualizar tiendas
          </button>
        </Form>
      )}
    </>
  );
}
