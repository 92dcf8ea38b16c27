import type { Settings } from '#config';
import type { Listener, ListenerTls } from '#http';
import type { TlsMaterial } from '#tls';

/** Returns the listeners: unencrypted HTTP first, if it is on, then HTTPS. */
export function listeners(settings: Readonly<Settings>, tls: ListenerTls | undefined): Listener[] {
  const { cleartext, host, port, tlsHost, tlsPort } = settings;
  return [
    ...(cleartext ? [{ host, port }] : []),
    ...(tls === undefined ? [] : [{ host: tlsHost, port: tlsPort, tls }]),
  ];
}

/** Returns the first address, with a name from the certificate if it is HTTPS. */
export function clientUrl([url = '']: readonly string[], tls: Pick<TlsMaterial, 'certificate'> | undefined): string {
  if (!url.startsWith('https:') || tls === undefined) return url;
  const name = /DNS:([\w.-]+)/.exec(tls.certificate.subjectAltName ?? '')?.[1];
  return name === undefined ? url : `https://${name}:${new URL(url).port}`;
}
