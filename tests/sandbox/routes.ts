/** Routes as data: `'GET /ordenes/:id'` names a method and a path, and its handler answers what matches both. */
import type { Handler, SandboxRequest, SandboxResponse } from './service';

/** A path may have `:name` segments, which arrive decoded in `params`, and may end in `/*`, whose text arrives in `params.rest` as it was sent. */
export type Routes = Readonly<Record<string, Handler>>;

/** Returns a handler that gives each request to the first route that fits it, and to `otherwise` when none does. */
export function routed(routes: Routes, otherwise: Handler): Handler {
  const compiled = Object.entries(routes).map(([key, handler]) => {
    const [method, path = '/'] = key.split(' ');
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
    const pattern = path.replaceAll('.', '\\.').replace(/:\w+/g, '([^/]+)').replace(/\*$/, '(?<rest>.*)');
    return { method, names, pattern: new RegExp(`^${pattern}$`), handler };
  });
  return (request: SandboxRequest): SandboxResponse | Promise<SandboxResponse> => {
    const route = compiled.find((one) => one.method === request.method && one.pattern.test(request.path));
    if (!route) return otherwise(request);
    const found = route.pattern.exec(request.path)!;
    route.names.forEach((name, index) => (request.params[name] = decodeURIComponent(found[index + 1] ?? '')));
    if (found.groups?.rest !== undefined) request.params.rest = found.groups.rest;
    return route.handler(request);
  };
}
