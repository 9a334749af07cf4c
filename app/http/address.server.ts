import type { RequestHandler, Response } from 'express';
import { isStorable } from '~/core/text';

/** No address of ours is half as long or as deep. Finding the screen of a path costs the square of its depth. */
const MAX_PATH = 512;
const MAX_DEPTH = 10;
/**
 * What is asked for may come back as the address that an answer leads to, three times as long where it is written with %, and headers end at 16 kB. Remix asks
 * for its manifest with the paths of many links.
 */
const MAX_QUERY = 4_000;
const MAX_MANIFEST = 8_000;

/** Written as %41 though it could be written as A. */
const NEEDLESS = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/i;

export type Address = { path: string } | { status: 400 | 404 | 414; texto: string };

const TOO_LONG = { status: 414, texto: 'La dirección es demasiado larga.' } as const;
const UNREADABLE = { status: 400, texto: 'No se entiende la dirección.' } as const;

/**
 * The path of what was asked for, decoded, without `.data` and the last slash. Limits and checks are looked up by it. An address that can be written in
 * several ways is refused: Remix might read it in another, and what was checked has to be what is opened.
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
 * Without empty, `.` or `..` parts, backslashes, encoded slashes, or letters in disguise. A value in a path of the API may hold a slash: it stays encoded until
 * the value is read.
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

/** The path of an address, decoded but for the slashes inside its parts, which stay as they are: a path has as many parts as it was written with. */
export const decodePath = (raw: string): string => raw.split(/%2f/i).map(decodeURIComponent).join('%2F');

function decode(raw: string): string | undefined {
  try {
    return decodePath(raw);
  } catch {
    return undefined;
  }
}

/** Puts the path into `res.locals.path`, or answers for an address that is none. */
export const requireAddress: RequestHandler = (req, res, next) => {
  const address = readAddress(req.originalUrl);
  const refused = 'status' in address ? address : refusedQuery(req.originalUrl);
  if (refused) return refuseAtDoor(res, refused.status, refused.texto);
  if ('path' in address) res.locals.path = address.path;
  next();
};

/** Webhooks and the API: who calls them is no page of ours. */
export const isForMachines = (path: string) => path.startsWith('/avisos/') || path.startsWith('/api/');

const CODIGO = new Map([
  [404, 'no-encontrado'],
  [405, 'metodo-no-permitido'],
  [413, 'demasiado-grande'],
  [500, 'fallo-interno'],
]);

/** Answers what goes no further: to people in words, to a program in the shape of its API. */
export function refuseAtDoor(res: Response, status: number, texto: string): void {
  res.status(status);
  const { path } = res.req;
  if (!path.startsWith('/api/')) return void res.type('text/plain').send(texto);
  if (!path.startsWith('/api/v1/')) return void res.json({ error: true, message: texto });
  const codigo = CODIGO.get(status) ?? 'peticion-invalida';
  const said = { type: `urn:trastienda:problema:${codigo}`, title: 'Error.', status, detail: texto, codigo };
  res.type('application/problem+json').send(JSON.stringify({ ...said, instance: String(res.locals.requestId) }));
}

/** The path of this request, as `requireAddress` read it. */
export const pathOf = (res: { locals: Record<string, unknown> }) => String(res.locals.path);

/** What Remix itself reads of a query: `_data` is of a protocol that no page of ours speaks, and `p` of its manifest are paths, looked up like the path. */
function refusedQuery(target: string) {
  const search = new URLSearchParams(target.slice(target.indexOf('?') + 1));
  if (!target.includes('?')) return undefined;
  if (search.has('_data')) return UNREADABLE;
  const isManifest = target.startsWith('/__manifest?');
  return isManifest && search.getAll('p').some((path) => 'status' in readAddress(path)) ? UNREADABLE : undefined;
}
