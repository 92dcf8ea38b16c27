import type { X509Certificate } from 'node:crypto';
import { expiries } from './expiries';
import type { TlsMaterial } from './read-tls-files';

test('a revocation list that never expires is not listed, and what ends first is first', () => {
  const ends = (day: number): X509Certificate =>
    ({ validTo: new Date(Date.UTC(2026, 0, day)).toString(), subject: `CN=${day}` }) as X509Certificate;
  const lists = [undefined, Date.UTC(2026, 0, 3)].map((nextUpdate) => ({
    issuer: '',
    serials: new Set<string>(),
    ...(nextUpdate !== undefined && { nextUpdate }),
  }));
  const material = { certificate: ends(5), authorities: [ends(4)], revocationLists: lists } as unknown as TlsMaterial;
  expect(expiries(material).map(({ what }) => what)).toEqual([
    'a revocation list',
    'the certificate of the authority CN=4',
    'the certificate of this service',
  ]);
});
