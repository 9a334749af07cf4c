import { createContext, useContext } from 'react';

/** The page's CSP nonce while it is rendered on the server; undefined in the browser, which hides nonces from scripts. */
const NonceContext = createContext<string | undefined>(undefined);

export const NonceProvider = NonceContext.Provider;

export function useNonce(): string | undefined {
  return useContext(NonceContext);
}
