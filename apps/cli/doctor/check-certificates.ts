import type { Settings } from '#config';
import { expiries, expiryAlertMs, readTlsFiles } from '#tls';
import type { Finding } from './finding';

const check = 'certificates';

export async function checkCertificates(settings: Readonly<Settings>, now = Date.now()): Promise<Finding> {
  const { tlsCert: cert, tlsKey: key, tlsCa: ca, tlsCrl: crl } = settings;
  if (cert === undefined || key === undefined || ca === undefined) {
    return { check, level: 'ok', text: 'HTTPS is not configured.' };
  }
  const [soonest] = expiries(await readTlsFiles({ cert, key, ca, ...(crl === undefined ? {} : { crl }) }, now));
  if (soonest === undefined) return { check, level: 'ok', text: 'The HTTPS certificates are valid.' };
  const until = new Date(soonest.at).toISOString().slice(0, 10);
  if (soonest.at - now > expiryAlertMs) {
    return { check, level: 'ok', text: `HTTPS: ${soonest.what} is the first to end, on ${until}.` };
  }
  return {
    check,
    level: soonest.at <= now ? 'error' : 'warning',
    text: `HTTPS: ${soonest.what} ${soonest.at <= now ? 'ended' : 'ends'} on ${until}.`,
    remedy: 'Renew it and copy the new file over the old one. No restart is needed.',
  };
}
