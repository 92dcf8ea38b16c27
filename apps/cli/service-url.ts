import { readSettings, type Settings } from '#config';

const anyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::', '']);
/** `::1` needs brackets in a URL. */
const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Returns the address of a service with these settings on this machine. */
export function serviceUrl({ cleartext, host, port, tlsHost, tlsPort, tlsCert }: Readonly<Settings>): string {
  if (!cleartext && tlsCert !== undefined) {
    // The certificate must contain the name, so the address of all interfaces cannot be used.
    return `https://${anyAddress.has(tlsHost) ? 'localhost' : inUrl(tlsHost)}:${tlsPort}`;
  }
  return `http://${anyAddress.has(host) ? '127.0.0.1' : inUrl(host)}:${port}`;
}

/**
 * Returns the address for the settings in the environment and nodeledger.yaml, or the default address if they are
 * invalid.
 */
export function ownServiceUrl(): string {
  try {
    return serviceUrl(readSettings([]).settings);
  } catch {
    return 'http://127.0.0.1:8080';
  }
}
