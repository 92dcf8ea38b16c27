import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Longer headers are ignored. Real ones name a few proxies. */
const longestHeader = 2_048;

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** The address of a client, as far as the headers of proxies tell it. */
interface Client {
  readonly address: string;
  /** False if a proxy has forwarded the request, and the address is that of the proxy. */
  readonly isCertain: boolean;
}

const clients = new WeakMap<IncomingMessage, Client>();

/** Returns the address of the client, or of the last proxy if the address of the client is not known. */
export const clientHost = (request: IncomingMessage): string =>
  clients.get(request)?.address ?? request.socket.remoteAddress ?? 'unknown';

/** Returns false if a proxy has forwarded the request, and the address of the client is not known. */
export const isClientKnown = (request: IncomingMessage): boolean => clients.get(request)?.isCertain ?? true;

/** The proxies whose headers `Forwarded` and `X-Forwarded-For` tell the address of a client. */
export class TrustedProxies {
  private readonly networks = new BlockList();

  /** Takes addresses and networks: `192.0.2.1`, `10.0.0.0/8`, `2001:db8::/32`. */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', prefix] = network.split('/');
      if (prefix === undefined) this.networks.addAddress(address, familyOf(address));
      else this.networks.addSubnet(address, Number(prefix), familyOf(address));
    }
  }

  has(address: string | undefined): boolean {
    return address !== undefined && isIP(address) !== 0 && this.networks.check(address, familyOf(address));
  }

  /** Stores the address of the client of a request that a proxy has forwarded. */
  locate(request: IncomingMessage): void {
    const { headers, socket } = request;
    if (headers.forwarded === undefined && headers['x-forwarded-for'] === undefined) return;
    const peer = socket.remoteAddress ?? 'unknown';
    const found = this.has(peer) ? this.clientBehind(headers) : undefined;
    clients.set(request, { address: found ?? peer, isCertain: found !== undefined });
  }

  /**
   * Returns undefined if the headers are malformed, or if they name two clients: a proxy that writes one of the headers may
   * pass on the other one as the client sent it.
   */
  private clientBehind({ forwarded, 'x-forwarded-for': list }: IncomingHttpHeaders): string | undefined {
    const found = new Set<string | undefined>();
    if (forwarded !== undefined) found.add(this.firstUntrusted(forwardedFor(forwarded)));
    if (list !== undefined) found.add(this.firstUntrusted(split(String(list), ',').map(addressOf)));
    const [only] = found;
    return found.size === 1 ? only : undefined;
  }

  /** Each proxy adds the address of its client at the end, so only the addresses after an untrusted one can be believed. */
  private firstUntrusted(addresses: readonly (string | undefined)[]): string | undefined {
    const last = addresses.findLastIndex((address) => !this.has(address));
    return addresses[Math.max(0, last)];
  }
}

/** The addresses of a header `Forwarded` (RFC 7239). */
function forwardedFor(header: string): (string | undefined)[] {
  return split(header, ',').map((element) => {
    const pair = split(element, ';').find((one) => /^\s*for=/i.test(one));
    return pair === undefined ? undefined : addressOf(pair.replace(/^\s*for=/i, ''));
  });
}

/** Returns the parts between separators that are not in quotes. Returns no part if the text is too long or a quote is not closed. */
function split(text: string, separator: ',' | ';'): string[] {
  if (text.length > longestHeader) return [];
  const parts = text.match(separator === ',' ? /(?:[^,"]|"(?:[^"\\]|\\.)*")+/g : /(?:[^;"]|"(?:[^"\\]|\\.)*")+/g) ?? [];
  return parts.join(separator) === text ? parts : [];
}

/** Reads an address with or without a port or quotes: `192.0.2.1:4711`, `"[2001:db8::1]:4711"`, `2001:db8::1`. */
function addressOf(text: string): string | undefined {
  const bare = text.trim().replace(/^"(.*)"$/, '$1');
  const address = /^\[([^\]]*)\](?::\d+)?$/.exec(bare)?.[1] ?? /^([\d.]+):\d+$/.exec(bare)?.[1] ?? bare;
  return isIP(address) === 0 ? undefined : address;
}
