import { createContext, useContext, useMemo, useState, type ReactNode } from 'react';
import { columnKeyOf } from '~/core/columnas';
import { remember } from '../remember';

const AnchoContext = createContext({ anchos: [] as readonly string[], cambiar: (_panel: string) => {} });

/** Returns the width of the panel of this kind of record, and the function that changes it. */
export function useAncho(que: string) {
  const { anchos, cambiar } = useContext(AnchoContext);
  const panel = columnKeyOf(que);
  return { ancho: anchos.includes(panel), cambiar: () => cambiar(panel) };
}

/** Provides the kinds of record whose panel this person has wide, in every list alike. */
export function AnchoProvider({
  area,
  anchos: saved,
  children,
}: {
  area: string;
  anchos: readonly string[];
  children: ReactNode;
}) {
  const [anchos, setAnchos] = useState(saved);
  const value = useMemo(
    () => ({
      anchos,
      cambiar: (panel: string) => {
        const ancho = anchos.includes(panel);
        setAnchos(ancho ? anchos.filter((one) => one !== panel) : [...anchos, panel]);
        remember(`${area}/preferencias`, { intent: 'panel', panel, ancho: ancho ? '0' : '1' });
      },
    }),
    [anchos, area],
  );
  return <AnchoContext.Provider value={value}>{children}</AnchoContext.Provider>;
}
