import { isTrusted } from './peer';

const peer = { validTo: 10, certificates: ['1 leaf', '2 middle'], fingerprints: ['leaf', 'middle', 'root'] };
const authorities = new Set(['root']);

test.each([
  ['no list', new Set<string>(), authorities, 9, true],
  ['the certificate of the client is revoked', new Set(['1 leaf']), authorities, 9, false],
  ['the certificate of its authority is revoked', new Set(['2 middle']), authorities, 9, false],
  ['another certificate is revoked', new Set(['1 middle']), authorities, 9, true],
  ['another authority is trusted', new Set<string>(), new Set(['other']), 9, false],
  ['the certificate expires now', new Set<string>(), authorities, 10, false],
])('%s', (_what, revoked, trusted, now, expected) => {
  expect(isTrusted(peer, { revoked, authorities: trusted }, now)).toBe(expected);
});
