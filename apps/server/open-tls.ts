import { FileContent, type Settings } from '#config';
import type { Fault } from '#fault';
import type { Caller } from '#http';
import type { Alerts, Log } from '#observe';
import { Allowlist, ServerTls } from '#tls';
import type { FileWatch } from './file-watch';
import { TlsExpiry } from './tls-expiry';
import type { Undo } from './undo';

/** HTTPS, as the settings want it. */
export interface OpenTls {
  readonly tls: ServerTls;
  /** Says why a client is not on the allowlist. Absent if there is no allowlist. */
  readonly unlisted?: (caller: Caller) => Fault | undefined;
}

interface OpenTlsOptions {
  readonly files: FileWatch;
  readonly alerts: Alerts;
  readonly log: Log;
  readonly undo: Undo;
}

/** Undefined if the settings name no certificate. Changes of the files are used without a restart. Faults: `tls.*`. */
export async function openTls(
  settings: Readonly<Settings>,
  { files, alerts, log, undo }: OpenTlsOptions,
): Promise<OpenTls | undefined> {
  const {
    tlsCert: cert,
    tlsKey: key,
    tlsCa: ca,
    tlsCrl: crl,
    certificateAllowlist: path,
    tlsExpiryAlert: expiryAlertMs,
    authorization,
  } = settings;
  if (cert === undefined || key === undefined || ca === undefined) return undefined;
  // Where roles are checked, a client may have a token instead. A certificate that is shown has to be good even so.
  const withoutCertificate = authorization !== undefined;
  const tls = await ServerTls.open({ cert, key, ca, ...(crl === undefined ? {} : { crl }) }, { withoutCertificate });
  const list = { what: 'the certificate allowlist', code: 'tls.file' } as const;
  const allowlist =
    path === undefined ? undefined : await FileContent.open({ ...list, path }, (text) => Allowlist.parse(text));
  files.add({
    what: 'the files of HTTPS',
    paths: [cert, key, ca, crl, path].filter((one) => one !== undefined),
    alert: 'tls.files',
    reload: async () => {
      const areNew = await tls.reload();
      return (await allowlist?.reload()) === true || areNew;
    },
  });
  const expiry = new TlsExpiry({ tls, expiryAlertMs, alerts, log });
  undo.add('the watch over certificates', () => expiry.stop());
  expiry.start();
  return { tls, ...(allowlist === undefined ? {} : { unlisted: (caller) => allowlist.current.refusal(caller) }) };
}
