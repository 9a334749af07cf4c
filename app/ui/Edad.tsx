import { createContext, useContext, type ReactNode } from 'react';
import { toInstant } from '~/core/time';
import { formatFecha, Hace } from './Fecha';
import { useClock } from './useClock';

const TICK_MS = 30_000;
const RECIENTE_MS = 60_000;
const AhoraContext = createContext(new Date(0).toISOString());

/** The page's clock for all ages, starting at the instant that the loader told. */
export function AhoraProvider({ ahora, children }: { ahora: string; children: ReactNode }) {
  const now = useClock(ahora, TICK_MS);
  return <AhoraContext.Provider value={toInstant(now).toISOString()}>{children}</AhoraContext.Provider>;
}

/** The age of a reading, with the exact instant in its title. */
export function Edad({ valor, vieja }: { valor: string | null; vieja?: boolean | undefined }) {
  const ahora = useContext(AhoraContext);
  const reciente = valor !== null && toInstant(ahora).getTime() - toInstant(valor).getTime() < RECIENTE_MS;
  return (
    <span className="edad" data-tono={vieja ? 'aviso' : undefined}>
      {valor === null ? (
        'sin leer'
      ) : reciente ? (
        <time dateTime={valor} title={formatFecha(valor)}>
          ahora mismo
        </time>
      ) : (
        <Hace valor={valor} ahora={ahora} />
      )}
    </span>
  );
}
