import { useMatches } from '@remix-run/react';

/**
 * Whether this page is written by React and not run by it: its route says `handle = { hydrate: false }`. Its one script is ui/publico, and everything works
 * without that too.
 */
export function useEstatica(): boolean {
  return useMatches().some(({ handle }) => (handle as { hydrate?: boolean } | undefined)?.hydrate === false);
}
