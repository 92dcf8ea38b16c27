import { isIPv6 } from 'node:net';
import type { FastifyRequest } from './fastify';
import { clientHost } from './trusted-proxies';

/** The name under which a client's requests are counted, by its address. */
export const clientAddress = ({ raw }: FastifyRequest): string => countedAddress(clientHost(raw));

/**
 * An IPv4 address by itself, however it is spelled. IPv6 addresses by their first 64 bits: one client has as many addresses
 * behind them as it likes.
 */
export function countedAddress(address: string): string {
  const ipv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  if (!isIPv6(address)) return address;
  // Link-local addresses have the name of their interface after a percent sign.
  const [numbers = '', link] = address.toLowerCase().split('%');
  const groups = groupsOf(numbers);
  const prefix = groups.slice(0, 4).map((group) => group.toString(16));
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.');
  return `${prefix.join(':')}::/64${link === undefined ? '' : `%${link}`}`;
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The last two groups may be written as an IPv4 address.
  const plain = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a: string, b: string, c: string, d: string) =>
      `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`,
  );
  const [before = [], after = []] = plain.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}
