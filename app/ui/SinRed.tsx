import { useSyncExternalStore } from 'react';
import { toInstant } from '~/core/time';
import { formatHora } from './Fecha';
import { readRed, retry, subscribeRed } from './red';

/** The bar shown while the server cannot be reached: the page stays, and the bar tells since when it is unchanged, and what could not be opened. */
export function SinRed() {
  const red = useSyncExternalStore(subscribeRed, readRed, readRed);
  if (!red.perdida) return null;
  return (
    <p className="sin-red" role="alert">
      Sin conexión. Lo que ves es de las {formatHora(toInstant(red.desde))}. Lo que escribiste sigue aquí.
      {red.que && ` No se pudo abrir «${red.que}».`}
      <button type="button" className="boton" onClick={() => retry.now()}>
        Reintentar
      </button>
    </p>
  );
}
