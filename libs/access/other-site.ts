/**
 * Protects people who use a browser on a machine that can reach the service, because any web page can make the browser
 * send requests. Programs other than browsers do not send the headers that are checked here.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '#config';
import { excerpt, Fault } from '#fault';

interface OwnHosts {
  /** Host names of NODELEDGER_ALLOWED_HOSTS, in lower case, under which browsers may use the service. */
  readonly allowed: readonly string[];
  /**
   * The connection is unencrypted and from the same machine. `Host` must then be a name of this machine or an allowed
   * one, because the owner of any other name can point it to this machine (DNS rebinding). Over TLS, the certificate
   * prevents that.
   */
  readonly isLocal: boolean;
}

/**
 * Throws if a browser sends the request for a page of another site. `changes`: the route changes something. Faults:
 * `http.other-site`, `http.other-host` (forbidden).
 */
export function refuseOtherSites(
  headers: IncomingHttpHeaders,
  { own, changes }: { readonly own: OwnHosts; readonly changes: boolean },
): void {
  const { origin, 'sec-fetch-site': site } = headers;
  // In HTTP/2, `:authority` has the name.
  const host = headers.host ?? String(headers[':authority'] ?? '');
  if (own.isLocal && isBrowser(headers) && !isOwnName(nameOf(host), own)) throw otherHost(host);
  if (site !== undefined) {
    // `none`: a person typed the address or opened a bookmark.
    if (site === 'same-origin' || site === 'none') return;
    // A link on another page. That page cannot read the answer.
    if (!changes && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document') return;
    throw otherSite(origin ?? 'another site');
  }
  if (origin !== undefined && !isSameHost(origin, host, own)) throw otherSite(origin);
}

/** Browsers send at least one of these headers with each request, and no page can remove all of them. */
const isBrowser = (headers: IncomingHttpHeaders): boolean =>
  headers.origin !== undefined ||
  headers['sec-fetch-site'] !== undefined ||
  headers['accept-language'] !== undefined ||
  headers['user-agent']?.startsWith('Mozilla/') === true;

/** Returns the name in `Host` without the port, or undefined if the header is malformed. */
const nameOf = (host: string): string | undefined =>
  /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+?)\.?)(?::\d{1,5})?$/
    .exec(host.toLowerCase())
    ?.slice(1)
    .find((part) => part !== undefined);

const isOwnName = (name: string | undefined, { allowed }: OwnHosts): boolean =>
  name !== undefined && (isLoopback(name) || name.endsWith('.localhost') || allowed.includes(name));

/** Compares with both names and ignores the scheme, because a proxy may end TLS and change `Host`. */
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
