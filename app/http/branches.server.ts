import type { ServerBuild } from '@remix-run/node';

type Routes = ServerBuild['routes'];
type Route = NonNullable<Routes[string]>;

/** What comes first in the path of a page or of its data, as it was written. */
export function firstSegment(pathname: string): string {
  const [first = ''] = pathname.slice(1).split('/', 1);
  return first.endsWith('.data') ? first.slice(0, -'.data'.length) : first;
}

/**
 * The build cut at the first segment of its paths. Remix ranks all the routes it has several times for each answer, and every role has its own pages: those of
 * one area are a fifth of them. What begins with no known word stays with the whole build.
 */
export function branchesOf(build: ServerBuild): Map<string, ServerBuild> {
  const known = Object.values(build.routes).filter((route) => route !== undefined);
  const leaves = known.filter(({ id }) => !known.some(({ parentId }) => parentId === id));
  const firsts = new Map(leaves.map((leaf) => [leaf, firstSegment(`/${pathOf(build.routes, leaf)}`)]));
  // The home and what may stand for any word belong to all: an answer names what lies above its own page.
  const isEverywhere = (first: string) => first === '' || /[:*?]/.test(first);
  const words = new Set([...firsts.values()].filter((first) => !isEverywhere(first)));
  return new Map(
    [...words].map((word) => {
      const kept = new Set<string>();
      for (const [leaf, first] of firsts)
        if (first === word || isEverywhere(first))
          for (let at: Route | undefined = leaf; at; at = at.parentId ? build.routes[at.parentId] : undefined)
            kept.add(at.id);
      const only = <T>(routes: Record<string, T>) =>
        Object.fromEntries(Object.entries(routes).filter(([id]) => kept.has(id)));
      return [
        word,
        { ...build, routes: only(build.routes), assets: { ...build.assets, routes: only(build.assets.routes) } },
      ];
    }),
  );
}

function pathOf(routes: Routes, { path, parentId }: Route): string {
  const parent = parentId ? routes[parentId] : undefined;
  return [parent ? pathOf(routes, parent) : '', path ?? ''].filter((part) => part !== '').join('/');
}
