import { useLocation, useRouteError } from '@remix-run/react';
import { FALLO } from '~/core/errors';
import { saidOf } from '~/ui/said';

/** The page of a list of sales that failed, inside its area: an unknown order, or an incident, with the way back to the list. */
export function OrdenError() {
  const { pathname } = useLocation();
  const { titulo, texto, incidente } = saidOf(useRouteError());
  return (
    <div className="hoja media" role="alert">
      <h1>{titulo ?? FALLO.titulo}</h1>
      <p>{texto ?? FALLO.texto}</p>
      {incidente && (
        <p className="nota">
          Número de incidente: <code>{incidente}</code>
        </p>
      )}
      <p className="botones">
        <a className="boton" data-tono="acento" href={pathname}>
          Volver a la lista
        </a>
      </p>
    </div>
  );
}
