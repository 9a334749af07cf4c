import { createContext, useContext, useMemo, useState, type ReactNode } from 'react';
import { recordar } from '../recordar';

const AnchoContext = createContext({ ancho: false, cambiar: () => {} });
export const useAncho = () => useContext(AnchoContext);

/** How wide this person has the panel of records, in every list alike. */
export function AnchoProvider({ area, ancho: saved, children }: { area: string; ancho: boolean; children: ReactNode }) {
  const [ancho, setAncho] = useState(saved);
  const value = useMemo(
    () => ({
      ancho,
      cambiar: () => {
        setAncho(!ancho);
        recordar(area, { intent: 'panel', ancho: ancho ? '0' : '1' });
      },
    }),
    [ancho, area],
  );
  return <AnchoContext.Provider value={value}>{children}</AnchoContext.Provider>;
}
