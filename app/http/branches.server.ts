import type { ServerBuild } from '@remix-run/node';

type Routes = ServerBuild['routes'];
type Route = NonNullable<Routes[string]>;

/** An area and one of its screens. */
const DEEP = 2;

/** Returns the names of the branches that a path may belong to, the narrowest first. */
export function branchNames(pathname: string): string[] {
  const words = pathname
    .replace(/\.data$/, '')
    .split('/')
    .slice(1, 1 + DEEP);
  return words.map((_, at) => words.slice(0, words.length - at).join('/'));
}

/**
 * Cuts the build at the first words of its paths. Remix ranks all routes of a build several times for each answer and makes an element of each for
 * a page, and every role has its own pages. A path that begins with no known word is answered by the whole build.
 */
export function branchesOf(build: ServerBuild): Map<string, ServerBuild> {
  const known = Object.values(build.routes).filter((route) => route !== undefined);
  const leaves = known
    .filter(({ id }) => !known.some(({ parentId }) => parentId === id))
    .map((leaf) => ({ leaf, words: wordsOf(pathOf(build.routes, leaf)) }));
  const names = new Set(leaves.flatMap(({ words }) => words.map((_, at) => words.slice(0, at + 1).join('/'))));
  return new Map(
    [...names].map((name) => {
      const kept = new Set<string>();
      for (const { leaf, words } of leaves)
        // The home, an area's own routes and routes for any word belong to every branch below them: a page is drawn inside the routes above it.
        if (isUnder(name, words.join('/')) || isUnder(words.join('/'), name))
          for (let at: Route | undefined = leaf; at; at = at.parentId ? build.routes[at.parentId] : undefined)
            kept.add(at.id);
      const only = <T>(routes: Record<string, T>) =>
        Object.fromEntries(Object.entries(routes).filter(([id]) => kept.has(id)));
      return [
        name,
        { ...build, routes: only(build.routes), assets: { ...build.assets, routes: only(build.assets.routes) } },
      ];
    }),
  );
}

const isUnder = (path: string, above: string) => above === '' || path === above || path.startsWith(`${above}/`);

/** Returns the words of a path up to the first that stands for any word. */
function wordsOf(path: string): string[] {
  const words = path.split('/').filter((word) => word !== '');
  const any = words.findIndex((word) => /[:*?]/.test(word));
  return words.slice(0, Math.min(DEEP, any === -1 ? DEEP : any));
}

function pathOf(routes: Routes, { path, parentId }: Route): string {
  const parent = parentId ? routes[parentId] : undefined;
  return [parent ? pathOf(routes, parent) : '', path ?? ''].filter((part) => part !== '').join('/');
}
