import { createContext, useContext } from 'react';

export type RolConNombre = { rol: string; nombre: string };

const CompartirContext = createContext<(lista: string) => RolConNombre[] | null>(() => null);

export const CompartirProvider = CompartirContext.Provider;

/** Returns the roles that this person may share a view with; null for a person who may not share. */
export const useCompartir = (lista: string) => useContext(CompartirContext)(lista);
