import type { Settings } from '#config';
import { callerOf, type FastifyRequest } from '#http';
import type { Alerts, Log } from '#observe';
import { Allowlist, isGuarded, ServerTls } from '#security';
import { TlsWatch } from './tls-watch';
import type { Undo } from './undo';

/** HTTPS, as the settings want it. */
export interface OpenTls {
  readonly tls: ServerTls;
  /** Throws where the allowlist refuses a request. */
  readonly authorize: (request: FastifyRequest) => void;
}

/** Undefined where the settings have no HTTPS. What changes in the files is used from then on. Faults: `tls.*`. */
export async function openTls(
  settings: Readonly<Settings>,
  { alerts, log, undo }: { readonly alerts: Alerts; readonly log: Log; readonly undo: Undo },
): Promise<OpenTls | undefined> {
  const {
    tlsCert: cert,
    tlsKey: key,
    tlsCa: ca,
    tlsCrl: crl,
    certificateAllowlist,
    tlsExpiryAlert,
    authorization,
  } = settings;
  if (cert === undefined || key === undefined || ca === undefined) return undefined;
  // Where roles are checked, a client may have a token instead. A certificate that is shown has to be good even so.
  const withoutCertificate = authorization !== undefined;
  const tls = await ServerTls.open({ cert, key, ca, ...(crl === undefined ? {} : { crl }) }, { withoutCertificate });
  const allowlist = certificateAllowlist === undefined ? undefined : await Allowlist.open(certificateAllowlist);
  const files = [cert, key, ca, crl, certificateAllowlist].filter((path) => path !== undefined);
  const onHangup = process.stdin.isTTY !== true;
  const watch = new TlsWatch({ tls, allowlist, files, expiryAlertMs: tlsExpiryAlert, alerts, log, onHangup });
  undo.add('the watch over certificates', () => watch.stop());
  watch.start();
  return {
    tls,
    authorize: (request) => {
      if (!isGuarded(request.routeOptions.url, request.url)) return;
      const caller = callerOf(request);
      if (withoutCertificate && caller.certname === undefined) return;
      const refusal = allowlist?.refusal(caller);
      if (refusal !== undefined) throw refusal;
    },
  };
}
