import { isIPv6 } from 'node:net';

/**
 * Returns the caller that a quota counts: an IPv4 address, or the /64 of an IPv6 address. A home or an office is given a whole /64 and may choose
 * among its addresses. An IPv4 address written as IPv6 counts as the IPv4 address.
 */
export function callerAddress(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped) return mapped[1]!;
  if (!isIPv6(ip)) return ip;
  const [head = '', tail = ''] = ip.split('%')[0]!.split('::');
  const [before, after] = [head, tail].map((side) => (side === '' ? [] : side.split(':')));
  const groups = ip.includes('::')
    ? [...before!, ...Array.from({ length: 8 - before!.length - after!.length }, () => '0'), ...after!]
    : before!;
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
