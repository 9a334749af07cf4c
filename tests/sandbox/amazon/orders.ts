import { createHash } from 'node:crypto';
import { json, type SandboxRequest, type SandboxResponse } from '../service';
import { invalid, no, notFound, type Operations, type World } from './answers';
import { DAY, MARKETPLACE_ID, MINUTE } from './constants';
import { orderDoc } from './documents';
import type { Venta } from './ventas';

const TOKEN_LIFE = DAY;
/** The distance of the upper bound of a search from the present. */
const BEHIND = 2 * MINUTE;

/** `horasSinPaquete`: hours after which the packages of a sale are told. */
type Options = Pick<World, 'now' | 'ventas' | 'interruptores'> & { horasSinPaquete(): number };

type Page = { despues: number; id: string; hasta: number; filtro: string; nace: number; posicion: number };

/** Orders 2026-01-01: a search by date of change or of birth, and one sale by its number. */
export function createOrders(options: Options) {
  const { now, ventas, interruptores } = options;
  const docOf = (sale: Venta, included: ReadonlySet<string>) => orderDoc(sale, included, options);

  function refusePeople(included: ReadonlySet<string>): SandboxResponse | undefined {
    if (!interruptores.is('personas', '403') || !(included.has('BUYER') || included.has('RECIPIENT'))) return undefined;
    return no(403, 'AccessDeniedException', 'Access to requested resource is denied.');
  }

  function search({ url: { searchParams: asked } }: SandboxRequest): SandboxResponse {
    const families = ['createdAfter', 'lastUpdatedAfter'].filter((name) => asked.has(name));
    if (families.length !== 1) return invalid('Exactly one of createdAfter and lastUpdatedAfter is required.');
    const field = families[0] === 'createdAfter' ? 'creada' : 'cambio';
    const beforeName = field === 'creada' ? 'createdBefore' : 'lastUpdatedBefore';
    const from = Date.parse(asked.get(families[0]!) ?? '');
    const until = asked.has(beforeName) ? Date.parse(asked.get(beforeName) ?? '') : now() - BEHIND;
    if (Number.isNaN(from) || Number.isNaN(until)) return invalid('A date is not ISO 8601.');
    if (asked.has(beforeName) && (until < from || until > now() - BEHIND))
      return invalid(`${beforeName} must be after and at least two minutes before now.`);
    const size = Number(asked.get('maxResultsPerPage') ?? 100);
    if (!Number.isInteger(size) || size < 1 || size > 100) return invalid('maxResultsPerPage must be 1 to 100.');
    const included = includedIn(asked);
    const refused = refusePeople(included);
    if (refused) return refused;
    const marketplaces = asked.get('marketplaceIds')?.split(',') ?? [MARKETPLACE_ID];

    const filtro = filterOf(asked);
    const given = asked.get('paginationToken');
    const page = given === null ? null : readToken(given);
    if (given !== null && (!page || page.filtro !== filtro || page.nace < now() - TOKEN_LIFE))
      return invalid('We could not decode your paginationToken.', interruptores.is('tokenAjeno', '403') ? 403 : 400);
    const hasta = page?.hasta ?? until;
    const rows = ventas()
      .filter((sale) => sale[field] >= from && sale[field] < hasta && marketplaces.includes(MARKETPLACE_ID))
      .sort((a, b) => a[field] - b[field] || (a.id < b.id ? -1 : 1));
    const rest = interruptores.is('paginas', 'porPosicion')
      ? rows.slice(page?.posicion ?? 0)
      : rows.filter(
          (sale) => !page || sale[field] > page.despues || (sale[field] === page.despues && sale.id > page.id),
        );
    const empty = interruptores.is('paginaVacia', 'si') && page === null && rest.length > 0;
    const shown = empty ? [] : rest.slice(0, size);
    const last = shown.at(-1);
    const more = empty || rest.length > shown.length;
    const next: Page = {
      despues: last?.[field] ?? 0,
      id: last?.id ?? '',
      hasta,
      filtro,
      nace: now(),
      posicion: (page?.posicion ?? 0) + shown.length,
    };
    return json(200, {
      orders: shown.map((sale) => docOf(sale, included)),
      ...(more
        ? { pagination: { nextToken: writeToken(next) } }
        : interruptores.is('ultimaPagina', 'tokenVacio') && { pagination: { nextToken: '' } }),
      [field === 'creada' ? 'createdBefore' : 'lastUpdatedBefore']: new Date(hasta).toISOString(),
    });
  }

  function one({ url, params }: SandboxRequest): SandboxResponse {
    const id = params.id!;
    const included = includedIn(url.searchParams);
    const refused = refusePeople(included);
    if (refused) return refused;
    const sale = ventas().find((other) => other.id === id);
    return sale ? json(200, { order: docOf(sale, included) }) : notFound(id);
  }

  const operations: Operations = {
    'GET /orders/2026-01-01/orders': ['searchOrders', search],
    'GET /orders/2026-01-01/orders/:id': ['getOrder', one],
  };
  return operations;
}

const includedIn = (asked: URLSearchParams) => new Set((asked.get('includedData') ?? '').split(',').filter(Boolean));

/** The part of a search that must stay the same from page to page. */
const filterOf = (asked: URLSearchParams) =>
  [...asked]
    .filter(([name]) => !['paginationToken', 'maxResultsPerPage', 'includedData'].includes(name))
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('&');

/** A token in base64 that always holds a plus, a slash and an equals sign. A caller that does not encode it spoils it. */
function writeToken(page: Page): string {
  const text = Buffer.from(JSON.stringify(page)).toString('base64');
  return `+/${createHash('sha256').update(text).digest('base64').slice(0, 6)}.${text}=`;
}

function readToken(token: string): Page | null {
  const match = /^\+\/(.{6})\.(.*)=$/s.exec(token);
  if (!match || createHash('sha256').update(match[2]!).digest('base64').slice(0, 6) !== match[1]) return null;
  return JSON.parse(Buffer.from(match[2]!, 'base64').toString('utf8')) as Page;
}
