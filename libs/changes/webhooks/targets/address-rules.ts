import { BlockList, isIP } from 'node:net';

/** Multicast networks, and networks that are not public according to IANA's registry of special-purpose addresses. */
const refusedIpv4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // behind a carrier's NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, with the metadata of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocols
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
];

/**
 * Only the IPv6 addresses in this network are public. They include no loopback, unspecified, unique local, link-local,
 * multicast, IPv4-mapped or NAT64 addresses.
 */
const publicIpv6 = '2000::/3';
const refusedIpv6 = [
  '2001::/23', // protocols, with Teredo, which contains an IPv4 address
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which contains an IPv4 address
  '3fff::/20', // documentation
];

export class AddressRules {
  private readonly allowed: BlockList;

  /** `allow` contains addresses and networks that are allowed although they are not public. */
  constructor(allow: readonly string[] = []) {
    this.allowed = networks(allow);
  }

  allows(address: string): boolean {
    const version = isIP(address);
    // An address with a zone, such as fe80::1%eth0, is link-local.
    if (version === 0 || address.includes('%')) return false;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    if (this.allowed.check(address, family)) return true;
    if (version === 4) return !refused.check(address, family);
    return globalUnicast.check(address, family) && !refused.check(address, family);
  }
}

const refused = networks([...refusedIpv4, ...refusedIpv6]);
const globalUnicast = networks([publicIpv6]);

function networks(list: readonly string[]): BlockList {
  const found = new BlockList();
  for (const network of list) {
    const [address = '', prefix] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) found.addAddress(address, family);
    else found.addSubnet(address, Number(prefix), family);
  }
  return found;
}
