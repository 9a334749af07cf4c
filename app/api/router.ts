type Routed = { method: string; path: string };

export type Found<C> =
  | { call: C; params: Record<string, string>; allow: string[] }
  | { call: undefined; params: Record<string, string>; allow: string[] };

/** Returns how to find the call of a method and a path, or the methods of that path. A written word outranks a name in braces. */
export function createRouter<C extends Routed>(calls: readonly C[]): (method: string, path: string) => Found<C> {
  const rows = calls
    .map((call) => ({ call, parts: call.path.split('/') }))
    .sort((a, b) => named(a.parts) - named(b.parts));
  const byLength = grouped(rows);
  return (method, path) => {
    const asked = path.split('/');
    const fits = (byLength.get(asked.length) ?? []).filter(({ parts }) =>
      parts.every((part, at) => (isName(part) ? asked[at] !== '' : part === asked[at])),
    );
    const allow = [...new Set(fits.map(({ call }) => call.method))];
    const found = fits.find(({ call }) => call.method === method);
    if (!found) return { call: undefined, params: {}, allow };
    const params = Object.fromEntries(
      found.parts.flatMap((part, at) => (isName(part) ? [[part.slice(1, -1), asked[at]!.replaceAll('%2F', '/')]] : [])),
    );
    return { call: found.call, params, allow };
  };
}

const isName = (part: string) => part.startsWith('{');

/** Returns the rank of a path: the fewer and the later its names in braces, the narrower it is. */
const named = (parts: string[]) =>
  parts.reduce((sum, part, at) => (isName(part) ? sum + 2 ** (parts.length - at) : sum), 0);

function grouped<R extends { parts: string[] }>(rows: R[]): Map<number, R[]> {
  const byLength = new Map<number, R[]>();
  for (const row of rows) byLength.set(row.parts.length, [...(byLength.get(row.parts.length) ?? []), row]);
  return byLength;
}
