import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * Largest number of characters in a header. A longer header is ignored, because real headers name only a few proxies.
 */
const longestHeader = 2_048;

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

interface Client {
  readonly address: string;
  /**
   * Whether `address` is the address of the client. False if the request has headers of a proxy, but the service cannot
   * take the address of the client from them. In this case, `address` is the other end of the connection.
   */
  readonly isCertain: boolean;
}

const clients = new WeakMap<IncomingMessage, Client>();

export const clientHost = (request: IncomingMessage): string =>
  clients.get(request)?.address ?? request.socket.remoteAddress ?? 'unknown';

export const isClientKnown = (request: IncomingMessage): boolean => clients.get(request)?.isCertain ?? true;

export class TrustedProxies {
  private readonly networks = new BlockList();

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

  locate(request: IncomingMessage): void {
    const { headers, socket } = request;
    if (headers.forwarded === undefined && headers['x-forwarded-for'] === undefined) return;
    const peer = socket.remoteAddress ?? 'unknown';
    const found = this.has(peer) ? this.clientBehind(headers) : undefined;
    clients.set(request, { address: found ?? peer, isCertain: found !== undefined });
  }

  /**
   * Returns the address of the client from the headers. Returns undefined if the headers are malformed or name two
   * clients. Both headers can be present, because a proxy may write only one of them, and pass on the other header as
   * the client sent it.
   */
  private clientBehind({ forwarded, 'x-forwarded-for': list }: IncomingHttpHeaders): string | undefined {
    const found = new Set<string | undefined>();
    if (forwarded !== undefined) found.add(this.firstUntrusted(forwardedFor(forwarded)));
    if (list !== undefined) found.add(this.firstUntrusted(split(String(list), ',').map(addressOf)));
    const [only] = found;
    return found.size === 1 ? only : undefined;
  }

  /**
   * Returns the last address that is not the address of a trusted proxy, or the first address if all are trusted. Each
   * proxy appends the address from which it received the request, so a client can have invented all earlier addresses.
   */
  private firstUntrusted(addresses: readonly (string | undefined)[]): string | undefined {
    const last = addresses.findLastIndex((address) => !this.has(address));
    return addresses[Math.max(0, last)];
  }
}

function forwardedFor(header: string): (string | undefined)[] {
  return split(header, ',').map((element) => {
    const pair = split(element, ';').find((one) => /^\s*for=/i.test(one));
    return pair === undefined ? undefined : addressOf(pair.replace(/^\s*for=/i, ''));
  });
}

/** Splits at separators outside of quotes. Returns an empty list if the text is too long or a quote is not closed. */
function split(text: string, separator: ',' | ';'): string[] {
  if (text.length > longestHeader) return [];
  const parts = text.match(separator === ',' ? /(?:[^,"]|"(?:[^"\\]|\\.)*")+/g : /(?:[^;"]|"(?:[^"\\]|\\.)*")+/g) ?? [];
  return parts.join(separator) === text ? parts : [];
}

/**
 * Parses an address with or without port and quotes, such as `192.0.2.1:4711`, `"[2001:db8::1]:4711"` or `2001:db8::1`.
 */
function addressOf(text: string): string | undefined {
  const bare = text.trim().replace(/^"(.*)"$/, '$1');
  const address = /^\[([^\]]*)\](?::\d+)?$/.exec(bare)?.[1] ?? /^([\d.]+):\d+$/.exec(bare)?.[1] ?? bare;
  return isIP(address) === 0 ? undefined : address;
}
