import type { Settings } from '#config';
import type { Listener, ListenerTls } from '#http';
import type { TlsMaterial } from '#tls';

export function listeners(settings: Readonly<Settings>, tls: ListenerTls | undefined): Listener[] {
  const { cleartext, host, port, tlsHost, tlsPort } = settings;
  return [
    ...(cleartext ? [{ host, port }] : []),
    ...(tls === undefined ? [] : [{ host: tlsHost, port: tlsPort, tls }]),
  ];
}

/** Returns the first URL. If it is an HTTPS URL, its host is replaced by the first DNS name in the certificate. */
export function clientUrl([url = '']: readonly string[], tls: Pick<TlsMaterial, 'certificate'> | undefined): string {
  if (!url.startsWith('https:') || tls === undefined) return url;
  const name = /DNS:([\w.-]+)/.exec(tls.certificate.subjectAltName ?? '')?.[1];
  return name === undefined ? url : `https://${name}:${new URL(url).port}`;
}
