import type { Settings } from '#config';

export function accessLine({
  authorization,
  certificateAllowlist: list,
  tlsCert,
  cleartext,
}: Readonly<Settings>): string {
  if (authorization !== undefined) {
    const limit = list === undefined ? '' : `, if ${list} lists the certificate`;
    return `clients may do what their certificate or token allows (${authorization})${limit}`;
  }
  const overTls =
    list === undefined
      ? 'over HTTPS, certificates may submit documents of their own name only (to allow more, set NODELEDGER_AUTHORIZATION)'
      : `over HTTPS, the certificates in ${list} may do everything`;
  const overHttp = 'over HTTP, every client may do everything';
  return [...(tlsCert === undefined ? [] : [overTls]), ...(cleartext ? [overHttp] : [])].join('; ');
}
