/**
 * Protects people who use a browser on a machine from which the service can be reached. Any page that they visit can
 * have their browser send requests. Programs other than browsers do not send the headers that are checked here.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '#config';
import { excerpt, Fault } from '#fault';

interface OwnHosts {
  /** The host names of NODELEDGER_ALLOWED_HOSTS, under which browsers may use the service. In lower case. */
  readonly allowed: readonly string[];
  /**
   * The connection is not encrypted and comes from the same machine. Then `Host` has to be a name of this machine or an
   * allowed one: the owner of any other name can let it point to this machine (DNS rebinding). Over TLS the certificate
   * of the service protects from that.
   */
  readonly isLocal: boolean;
}

/**
 * Throws if a browser sends the request for a page of another site. `changes`: the request is sent to a route that
 * changes something. Faults: `http.other-site`, `http.other-host` (forbidden).
 */
export function refuseOtherSites(
  headers: IncomingHttpHeaders,
  { own, changes }: { readonly own: OwnHosts; readonly changes: boolean },
): void {
  const { origin, 'sec-fetch-site': site } = headers;
  // HTTP/2 has the name in `:authority`.
  const host = headers.host ?? String(headers[':authority'] ?? '');
  if (own.isLocal && isBrowser(headers) && !isOwnName(nameOf(host), own)) throw otherHost(host);
  if (site !== undefined) {
    // `none`: a person typed the address or opened a bookmark.
    if (site === 'same-origin' || site === 'none') return;
    // A link from another page: that page cannot read the answer.
    if (!changes && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document') return;
    throw otherSite(origin ?? 'another site');
  }
  if (origin !== undefined && !isSameHost(origin, host, own)) throw otherSite(origin);
}

/** Browsers send at least one of these headers with each request, and a page cannot remove all of them. */
const isBrowser = (headers: IncomingHttpHeaders): boolean =>
  headers.origin !== undefined ||
  headers['sec-fetch-site'] !== undefined ||
  headers['accept-language'] !== undefined ||
  headers['user-agent']?.startsWith('Mozilla/') === true;

/** The name in `Host`, without the port. Undefined if the header is something else. */
const nameOf = (host: string): string | undefined =>
  /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+?)\.?)(?::\d{1,5})?$/
    .exec(host.toLowerCase())
    ?.slice(1)
    .find((part) => part !== undefined);

const isOwnName = (name: string | undefined, { allowed }: OwnHosts): boolean =>
  name !== undefined && (isLoopback(name) || name.endsWith('.localhost') || allowed.includes(name));

/** A proxy may end TLS and may change `Host`, so the scheme does not count, and the names are compared with both. */
function isSameHost(origin: string, host: string, { allowed }: OwnHosts): boolean {
  const page = urlOf(origin);
  if (page === undefined || !/^https?:$/.test(page.protocol)) return false;
  return page.host === urlOf(`${page.protocol}//${host}`)?.host || allowed.includes(page.hostname);
}

function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

const otherSite = (origin: string): Fault =>
  new Fault('forbidden', 'http.other-site', `Forbidden: a page of ${excerpt(origin)} has sent this request.`, {
    hint: 'Browsers may send requests for the pages of this service only. NODELEDGER_ALLOWED_HOSTS names further hosts of this service.',
  });

const otherHost = (host: string): Fault =>
  new Fault(
    'forbidden',
    'http.other-host',
    `Forbidden: a browser has asked for the host ${excerpt(host)}, which is not a name of this service.`,
    {
      hint: 'Ask for localhost. If a proxy serves this name, add the name to NODELEDGER_ALLOWED_HOSTS.',
    },
  );
