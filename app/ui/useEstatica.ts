import { useMatches } from '@remix-run/react';

/**
 * True where React wrote this page and does not run it: the route says `handle = { hydrate: false }`. The page's one script is ui/publico, and everything works
 * without it too.
 */
export function useEstatica(): boolean {
  return useMatches().some(({ handle }) => (handle as { hydrate?: boolean } | undefined)?.hydrate === false);
}
