import { readSettings, type Settings } from '#config';

const anyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::', '']);
/** Returns the host as a part of a URL, in which an IPv6 address such as `::1` needs brackets. */
const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Returns the address at which a client on this machine reaches a service that has these settings. */
export function serviceUrl({ cleartext, host, port, tlsHost, tlsPort, tlsCert }: Readonly<Settings>): string {
  if (!cleartext && tlsCert !== undefined) {
    // The URL's host must be a name in the certificate, so the host is `localhost` and not 127.0.0.1.
    return `https://${anyAddress.has(tlsHost) ? 'localhost' : inUrl(tlsHost)}:${tlsPort}`;
  }
  return `http://${anyAddress.has(host) ? '127.0.0.1' : inUrl(host)}:${port}`;
}

/**
 * Returns the address of a service with the settings in the environment and nodeledger.yaml. Returns the default
 * address if these settings are invalid.
 */
export function ownServiceUrl(): string {
  try {
    return serviceUrl(readSettings([]).settings);
  } catch {
    return 'http://127.0.0.1:8080';
  }
}
