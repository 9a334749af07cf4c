import { createContext, useContext } from 'react';

export type RolConNombre = { rol: string; nombre: string };

const CompartirContext = createContext<(lista: string) => RolConNombre[] | null>(() => null);

export const CompartirProvider = CompartirContext.Provider;

/** The roles that this person may share a view of a list with; null for who may not share. */
export const useCompartir = (lista: string) => useContext(CompartirContext)(lista);
