/**
 * Refuses requests that a browser sends because of web pages of other sites. Programs other than browsers do not send
 * the headers that are checked here.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '#config';
import { excerpt, Fault } from '#fault';

interface OwnHosts {
  /** Host names in NODELEDGER_ALLOWED_HOSTS in lower case. */
  readonly allowed: readonly string[];
  /**
   * Whether the connection is unencrypted and from the same machine. On such a connection, `Host` must be a name of
   * this machine or an allowed name, because the owner of any other name can point the name to this machine (DNS
   * rebinding). Over TLS, the certificate prevents this attack.
   */
  readonly isLocal: boolean;
}

/** Throws `http.other-site` or `http.other-host` (403). `changes` means that the route changes something. */
export function refuseOtherSites(
  headers: IncomingHttpHeaders,
  { own, changes }: { readonly own: OwnHosts; readonly changes: boolean },
): void {
  const { origin, 'sec-fetch-site': site } = headers;
  const host = headers.host ?? String(headers[':authority'] ?? '');
  if (own.isLocal && isBrowser(headers) && !isOwnName(nameOf(host), own)) throw otherHost(host);
  if (site !== undefined) {
    // `none` means that a person typed the address or opened a bookmark.
    if (site === 'same-origin' || site === 'none') return;
    // The person followed a link on another page. This page cannot read the answer.
    if (!changes && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document') return;
    throw otherSite(origin ?? 'another site');
  }
  if (origin !== undefined && !isSameHost(origin, host, own)) throw otherSite(origin);
}

/** A browser sends at least one of these headers with each request, and a page cannot remove all of them. */
const isBrowser = (headers: IncomingHttpHeaders): boolean =>
  headers.origin !== undefined ||
  headers['sec-fetch-site'] !== undefined ||
  headers['accept-language'] !== undefined ||
  headers['user-agent']?.startsWith('Mozilla/') === true;

const nameOf = (host: string): string | undefined =>
  /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+?)\.?)(?::\d{1,5})?$/
    .exec(host.toLowerCase())
    ?.slice(1)
    .find((part) => part !== undefined);

const isOwnName = (name: string | undefined, { allowed }: OwnHosts): boolean =>
  name !== undefined && (isLoopback(name) || name.endsWith('.localhost') || allowed.includes(name));

/**
 * Ignores the scheme, because a proxy may end TLS. Also checks the allowed names, because a proxy may change `Host`.
 */
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
