import { Link, useLocation } from '@remix-run/react';
import { usePantalla } from '~/ui/Pantallas';
import { Panel } from '~/ui/Blocks';
import { Estatus } from '~/ui/Estatus';
import { Pesos } from '~/ui/Pesos';
import { isTipo, TIPO_LABEL } from '~/domain/publicaciones/publicador/publicador';
import { MERCADOS } from '~/domain/mercados/mercados';
import type { Wire } from '~/core/list';
import type { Vista } from '~/domain/publicaciones/publicador/borrador.server';

/** The listings of the product that exist already, and those under way. */
export function YaPublicado({
  market,
  publicaciones,
  enMarcha,
}: Pick<Wire<Vista>, 'market' | 'publicaciones' | 'enMarcha'>) {
  const { search } = useLocation();
  const [pendientes, cambiar] = [usePantalla('pendientes'), usePantalla('cambiarCategoria')];
  const tipo = (uno: string | null) => (isTipo(uno) && TIPO_LABEL[uno]) || 'Publicación';
  return (
    <>
      {enMarcha.length > 0 && (
        <Panel titulo="En camino">
          <ul className="publicador-lista">
            {enMarcha.map((una) => (
              <li key={una.id}>
                <Estatus tono="aviso">
                  {una.state === 'manual'
                    ? 'Nadie sabe si se publicó'
                    : una.recibida
                      ? `${MERCADOS[market].label} la recibió y la está preparando`
                      : una.state === 'unknown'
                        ? 'Se está buscando'
                        : 'Publicando…'}
                </Estatus>{' '}
                {tipo(una.tipo)} · {una.titulo}
                {una.state === 'manual' && pendientes && (
                  <>
                    {' '}
                    · <Link to={pendientes}>Decidir en Pendientes</Link>
                  </>
                )}
              </li>
            ))}
          </ul>
          <Link to={search}>Actualizar</Link>
        </Panel>
      )}
      {publicaciones.length > 0 && (
        <Panel titulo="Ya publicado">
          <ul className="publicador-lista">
            {publicaciones.map((una) => (
              <li key={una.id}>
                {tipo(una.tipo)} ·{' '}
                {una.link ? (
                  <a href={una.link} target="_blank" rel="noreferrer">
                    {una.clave}
                  </a>
                ) : (
                  una.clave
                )}{' '}
                · <Pesos valor={una.precio} />
                {cambiar && MERCADOS[market].publicador !== null && (
                  <>
                    {' '}
                    · <Link to={`${cambiar}?ver=${una.id}`}>Cambiar categoria</Link>
                  </>
                )}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}
