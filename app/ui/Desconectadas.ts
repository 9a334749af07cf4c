import { createContext, useContext } from 'react';

/** A source of sales that tells nothing: since when, where it ever did. */
export type Desconectada = { label: string; desde: string | null };

const DesconectadasContext = createContext<readonly Desconectada[]>([]);

export const DesconectadasProvider = DesconectadasContext.Provider;

export const useDesconectadas = () => useContext(DesconectadasContext);
