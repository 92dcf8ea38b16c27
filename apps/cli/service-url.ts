import { readSettings, type Settings } from '#config';

const anyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::', '']);
/** `::1` needs brackets in a URL. */
const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** The address at which a service with these settings answers on this machine. */
export function serviceUrl({ cleartext, host, port, tlsHost, tlsPort, tlsCert }: Readonly<Settings>): string {
  if (!cleartext && tlsCert !== undefined) {
    // The name must be one in the certificate, which an address of all interfaces never is.
    return `https://${anyAddress.has(tlsHost) ? 'localhost' : inUrl(tlsHost)}:${tlsPort}`;
  }
  return `http://${anyAddress.has(host) ? '127.0.0.1' : inUrl(host)}:${port}`;
}

/** The same for the settings of the environment and of nodeledger.yaml; the default address if they are wrong. */
export function ownServiceUrl(): string {
  try {
    return serviceUrl(readSettings([]).settings);
  } catch {
    return 'http://127.0.0.1:8080';
  }
}
