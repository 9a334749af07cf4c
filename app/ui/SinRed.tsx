import { useSyncExternalStore } from 'react';
import { toInstant } from '~/core/time';
import { formatHora } from './Fecha';
import { readRed, retryNow, subscribeRed } from './red';

const nunca = () => undefined;

/** The bar shown while the server cannot be reached: the page stays, and the bar tells since when it is unchanged. */
export function SinRed() {
  const desde = useSyncExternalStore(subscribeRed, () => (readRed().perdida ? hora() : undefined), nunca);
  return (
    desde && (
      <p className="sin-red" role="alert">
        Sin conexión. Lo que ves es de las {desde}. Lo que escribiste sigue aquí.
        <button type="button" className="boton" onClick={retryNow}>
          Reintentar
        </button>
      </p>
    )
  );
}

function hora(): string | undefined {
  const red = readRed();
  return red.perdida ? formatHora(toInstant(red.desde)) : undefined;
}
