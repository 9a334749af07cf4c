import { createContext, useContext } from 'react';

/** A source of sales that answers nothing, with the time of its last answer if there ever was one. */
export type Desconectada = { label: string; desde: string | null };

const DesconectadasContext = createContext<readonly Desconectada[]>([]);

export const DesconectadasProvider = DesconectadasContext.Provider;

export const useDesconectadas = () => useContext(DesconectadasContext);
