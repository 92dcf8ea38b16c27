import { isIPv6 } from 'node:net';
import type { FastifyRequest } from './fastify';
import { clientHost } from './trusted-proxies';

export const clientAddress = ({ raw }: FastifyRequest): string => countedAddress(clientHost(raw));

/**
 * Returns the address under which a client is counted. This is the same text for all spellings of an IPv4 address, and
 * the first 64 bits of an IPv6 address, because one client can use all addresses that begin with these bits.
 */
export function countedAddress(address: string): string {
  const ipv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  if (!isIPv6(address)) return address;
  // In a link-local address, a percent sign and the name of the interface follow the numbers.
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

function groupsOf(address: string): number[] {
  // The last two groups can be written as an IPv4 address.
  const plain = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a: string, b: string, c: string, d: string) =>
      `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`,
  );
  const [before = [], after = []] = plain.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}
