import type { Settings } from '#config';
import type { Alerts, Log } from '#observe';
import { ServerTls } from '#tls';
import type { FileMonitor } from './file-monitor';
import { tlsExpiry } from './tls-expiry';
import type { Undo } from './undo';

interface OpenTlsOptions {
  readonly files: FileMonitor;
  readonly alerts: Alerts;
  readonly log: Log;
  readonly undo: Undo;
}

/**
 * Returns undefined if the settings name no certificate. Later changes to the files apply without a restart. Throws
 * faults with `tls.` codes.
 */
export async function openTls(
  settings: Readonly<Settings>,
  { files, alerts, log, undo }: OpenTlsOptions,
): Promise<ServerTls | undefined> {
  const { tlsCert: cert, tlsKey: key, tlsCa: ca, tlsCrl: crl, authorization } = settings;
  if (cert === undefined || key === undefined || ca === undefined) return undefined;
  // A client may send a token instead of a certificate. But if a client sends a certificate, the certificate must be
  // valid.
  const withoutCertificate = authorization !== undefined;
  const tls = await ServerTls.open({ cert, key, ca, ...(crl === undefined ? {} : { crl }) }, { withoutCertificate });
  files.add({
    what: 'the files of HTTPS',
    paths: [cert, key, ca, crl].filter((one) => one !== undefined),
    alert: 'tls.files',
    reload: () => tls.reload(),
  });
  const expiry = tlsExpiry({ tls, alerts, log });
  undo.add('the watch over certificates', () => expiry.stop());
  expiry.start();
  return tls;
}
