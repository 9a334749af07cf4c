import { createContext, useContext } from 'react';

/** What the server writes into the head of a page; in the browser nobody has it, since nonces are hidden from scripts and the map was read. */
export type Cabeza = { nonce?: string; mapa?: string };

const CabezaContext = createContext<Cabeza>({});

export const CabezaProvider = CabezaContext.Provider;

/** The page's CSP nonce while it is rendered on the server. */
export const useNonce = (): string | undefined => useContext(CabezaContext).nonce;

/** The names under which the page's scripts import one another. */
export const useMapa = (): string => useContext(CabezaContext).mapa ?? '{}';
