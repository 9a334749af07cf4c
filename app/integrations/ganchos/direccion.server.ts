import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';

export type Direccion = { address: string; family: 4 | 6 };
/** Returns the addresses of a host; tests hand in their own. */
export type Resolver = (name: string) => Promise<readonly Direccion[]>;

/** Networks that no receiver can have: private networks, networks between machines, and reserved addresses. */
const CLOSED = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  CLOSED.addSubnet(net, bits, 'ipv4');
/**
 * Public addresses of version 6 lie in a single block. Closed inside the block: tunnels that contain an address of
 * version 4, and examples.
 */
const OPEN6 = new BlockList();
OPEN6.addSubnet('2000::', 3, 'ipv6');
const CLOSED6 = new BlockList();
CLOSED6.addSubnet('2001::', 23, 'ipv6');
CLOSED6.addSubnet('2001:db8::', 32, 'ipv6');
CLOSED6.addSubnet('2002::', 16, 'ipv6');
CLOSED6.addSubnet('3fff::', 20, 'ipv6');

/** Returns whether the whole Internet reaches the address. */
export function isPublica(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !CLOSED.check(address, 'ipv4');
  return version === 6 && OPEN6.check(address, 'ipv6') && !CLOSED6.check(address, 'ipv6');
}

/** Returns the host of a URL without the brackets of version 6. */
export const nombreOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** Returns all addresses of a host, by the system's resolver. */
export const resolveHost: Resolver = async (name) =>
  (await lookup(name, { all: true, verbatim: true })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4,
  }));

/** The host leads to a private network. */
export class RedPrivada extends Error {}

/**
 * Returns the addresses of a URL's host. A single private address among several throws `RedPrivada`, because such a
 * mixture is an attack.
 */
export async function direccionesOf(
  url: URL,
  { privadas, resolve = resolveHost }: { privadas: boolean; resolve?: Resolver },
): Promise<readonly Direccion[]> {
  const name = nombreOf(url);
  const version = isIP(name);
  const found: readonly Direccion[] = version
    ? [{ address: name, family: version === 6 ? 6 : 4 }]
    : await resolve(name);
  if (found.length === 0) throw new Error('el nombre no lleva a ninguna parte');
  if (!privadas && found.some(({ address }) => !isPublica(address)))
    throw new RedPrivada('la dirección lleva a una red privada');
  return found;
}

/** Returns a resolver that gives the connection the checked addresses. */
export function onlyTo(addresses: readonly Direccion[]): LookupFunction {
  return (_name, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };
}

/** Waits for work until a signal ends; the work itself goes on. */
export function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    }),
  ]);
}
