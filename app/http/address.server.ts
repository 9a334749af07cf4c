import type { RequestHandler, Response } from 'express';
import { isStorable } from '~/core/text';

/** Limits of a path. Our own paths are less than half as long and as deep, and finding the screen of a path costs the square of its depth. */
const MAX_PATH = 512;
const MAX_DEPTH = 10;
/**
 * Longest query. An answer may lead to an address with the query in it, which takes three times as many bytes where it is escaped, and headers end
 * at 16 kB. Remix asks for its manifest with the paths of many links, so that query may be longer.
 */
const MAX_QUERY = 4_000;
const MAX_MANIFEST = 8_000;

/** An escape such as %41 of a letter that needs none. */
const NEEDLESS = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/i;

export type Address = { path: string } | { status: 400 | 404 | 414; texto: string };

const TOO_LONG = { status: 414, texto: 'La dirección es demasiado larga.' } as const;
const UNREADABLE = { status: 400, texto: 'No se entiende la dirección.' } as const;

/**
 * Returns the decoded path of a request without `.data` and the last slash. Limits and checks are looked up by this path. An address that can be
 * written in several ways is refused, since Remix might read another path than the one that was checked.
 */
export function readAddress(target: string): Address {
  const [raw = ''] = target.split('?');
  if (raw.length > MAX_PATH) return TOO_LONG;
  if (!isCanonical(raw)) return UNREADABLE;
  const path = decode(raw);
  if (path === undefined || /[\\\p{Cc}]/u.test(path) || !isStorable(path)) return UNREADABLE;
  if (raw.split('/').length - 1 > MAX_DEPTH) return { status: 404, texto: 'No existe.' };
  if (target.length - raw.length - 1 > (path === '/__manifest' ? MAX_MANIFEST : MAX_QUERY)) return TOO_LONG;
  return { path: path.replace(/\.data$/, '').replace(/(?<=.)\/$/, '') };
}

/**
 * Returns whether a path has no empty, `.` or `..` parts, no backslashes, no encoded slashes and no needless escapes. A value in a path of the API
 * may hold a slash, which stays encoded until the value is read.
 */
function isCanonical(raw: string): boolean {
  return (
    raw.startsWith('/') &&
    !raw.includes('//') &&
    !/%5c/i.test(raw) &&
    (raw.startsWith('/api/') || !/%2f/i.test(raw)) &&
    !NEEDLESS.test(raw) &&
    URL.canParse(`http://nadie.invalid${raw}`) &&
    new URL(`http://nadie.invalid${raw}`).pathname === raw
  );
}

/** Returns the decoded path of an address. An encoded slash inside a part stays encoded, so a path keeps its number of parts. */
export const decodePath = (raw: string): string => raw.split(/%2f/i).map(decodeURIComponent).join('%2F');

function decode(raw: string): string | undefined {
  try {
    return decodePath(raw);
  } catch {
    return undefined;
  }
}

/** Writes the path to `res.locals.path`, or answers 400 for an unreadable address. */
export const requireAddress: RequestHandler = (req, res, next) => {
  const address = readAddress(req.originalUrl);
  const refused = 'status' in address ? address : refusedQuery(req.originalUrl);
  if (refused) return refuseAtDoor(res, refused.status, refused.texto);
  if ('path' in address) res.locals.path = address.path;
  next();
};

/** Returns whether a path is called by machines and programs (webhooks, API) and not by pages of ours. */
export const isForMachines = (path: string) => path.startsWith('/avisos/') || path.startsWith('/api/');

const CODIGO = new Map([
  [404, 'no-encontrado'],
  [405, 'metodo-no-permitido'],
  [413, 'demasiado-grande'],
  [500, 'fallo-interno'],
  [503, 'saturado'],
]);

/** Answers a request that stops at the door: people read words, programs the shape of their API. */
export function refuseAtDoor(res: Response, status: number, texto: string): void {
  res.status(status);
  const { path } = res.req;
  if (!path.startsWith('/api/')) return void res.type('text/plain').send(texto);
  if (!path.startsWith('/api/v1/')) return void res.json({ error: true, message: texto });
  const codigo = CODIGO.get(status) ?? 'peticion-invalida';
  const said = { type: `urn:trastienda:problema:${codigo}`, title: 'Error.', status, detail: texto, codigo };
  res.type('application/problem+json').send(JSON.stringify({ ...said, instance: String(res.locals.requestId) }));
}

/** Returns the path of a request as `requireAddress` read it. */
export const pathOf = (res: { locals: Record<string, unknown> }) => String(res.locals.path);

/** Checks the names of a query that Remix reads itself. `_data` belongs to a protocol that our pages do not use; each `p` of the manifest is a path. */
function refusedQuery(target: string) {
  const search = new URLSearchParams(target.slice(target.indexOf('?') + 1));
  if (!target.includes('?')) return undefined;
  if (search.has('_data')) return UNREADABLE;
  const isManifest = target.startsWith('/__manifest?');
  return isManifest && search.getAll('p').some((path) => 'status' in readAddress(path)) ? UNREADABLE : undefined;
}
