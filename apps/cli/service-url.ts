import { readSettings, type Settings } from '#config';

const anyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::', '']);
const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

export function serviceUrl({ cleartext, host, port, tlsHost, tlsPort, tlsCert }: Readonly<Settings>): string {
  if (!cleartext && tlsCert !== undefined) {
    // The host in the URL must be a name in the certificate, so 127.0.0.1 would fail.
    return `https://${anyAddress.has(tlsHost) ? 'localhost' : inUrl(tlsHost)}:${tlsPort}`;
  }
  return `http://${anyAddress.has(host) ? '127.0.0.1' : inUrl(host)}:${port}`;
}

/** Returns the default address if the settings are invalid. */
export function ownServiceUrl(): string {
  try {
    return serviceUrl(readSettings([]).settings);
  } catch {
    return 'http://127.0.0.1:8080';
  }
}
