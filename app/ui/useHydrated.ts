import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** Returns false on the server and in the first render, true afterwards: for parts that need JavaScript. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
