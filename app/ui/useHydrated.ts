import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False on the server and in the first render, true afterwards: what only JavaScript can do waits for it. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
