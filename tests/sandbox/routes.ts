/** Routes as data: `'GET /ordenes/:id'` names a method and a path. A path may hold `:name` segments and may end in `/*`. */
import type { Handler, SandboxRequest } from './service';

export type Routes = Readonly<Record<string, Handler>>;

/**
 * Returns a search for the first row of a table whose route fits a request; undefined when none does. The search fills `params` of that request: segments decoded,
 * and what follows `/*` as it was sent, under `rest`.
 */
export function matcher<T>(table: Readonly<Record<string, T>>): (request: SandboxRequest) => T | undefined {
  const compiled = Object.entries(table).map(([key, value]) => {
    const [method, path = '/'] = key.split(' ');
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
    const pattern = path.replaceAll('.', '\\.').replace(/:\w+/g, '([^/]+)').replace(/\*$/, '(?<rest>.*)');
    return { method, names, pattern: new RegExp(`^${pattern}$`), value };
  });
  return (request) => {
    for (const { method, names, pattern, value } of compiled) {
      const found = method === request.method && pattern.exec(request.path);
      if (!found) continue;
      names.forEach((name, index) => (request.params[name] = decodeURIComponent(found[index + 1] ?? '')));
      if (found.groups?.rest !== undefined) request.params.rest = found.groups.rest;
      return value;
    }
    return undefined;
  };
}

/** Returns a handler that gives each request to the first route that fits it, and to `otherwise` when none does. */
export function routed(routes: Routes, otherwise: Handler): Handler {
  const find = matcher(routes);
  return (request) => (find(request) ?? otherwise)(request);
}
