import type { IncomingMessage } from 'node:http';
import { clientAddress } from './client-address';
import type { FastifyRequest } from './fastify';
import { isClientKnown, TrustedProxies } from './trusted-proxies';

const proxies = new TrustedProxies(['127.0.0.1', '10.0.0.0/8', '2001:db8:1::/48']);

/** Returns the counted address of the client, and whether this address is certain. */
function located(headers: Record<string, string>, remoteAddress = '127.0.0.1', trusted = proxies): [string, boolean] {
  const raw = { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
  trusted.locate(raw);
  return [clientAddress({ raw } as unknown as FastifyRequest), isClientKnown(raw)];
}

test.each([
  ['203.0.113.5', '203.0.113.5'],
  ['203.0.113.5:4711', '203.0.113.5'],
  [' 203.0.113.5 , 10.1.2.3,10.9.9.9 ', '203.0.113.5'],
  ['198.51.100.1, 203.0.113.5, 10.1.2.3', '203.0.113.5'],
  ['127.0.0.1, 203.0.113.5', '203.0.113.5'],
  ['::ffff:203.0.113.5', '203.0.113.5'],
  ['2001:db8:2::7, 2001:db8:1::1', '2001:db8:2:0::/64'],
  ['[2001:db8:2::7]:4711', '2001:db8:2:0::/64'],
  ['127.0.0.1, 10.0.0.1', '127.0.0.1'],
])('reads X-Forwarded-For: %s', (list, address) => {
  expect(located({ 'x-forwarded-for': list })).toEqual([address, true]);
  expect(located({ 'x-forwarded-for': list }, '::ffff:10.0.0.9')).toEqual([address, true]);
});

test.each([
  ['for=203.0.113.5', '203.0.113.5'],
  ['for=198.51.100.1, for=203.0.113.5;proto=https , For="10.1.2.3:80"', '203.0.113.5'],
  ['proto=http;for="[2001:db8:2::7]:4711";by=10.0.0.1', '2001:db8:2:0::/64'],
  ['for=203.0.113.5;host="a, for=127.0.0.1"', '203.0.113.5'],
  ['for=203.0.113.5;host="a;for=127.0.0.1"', '203.0.113.5'],
  ['host="a\\", for=127.0.0.1";for=203.0.113.5', '203.0.113.5'],
])('reads Forwarded: %s', (forwarded, address) => {
  expect(located({ forwarded })).toEqual([address, true]);
});

test.each<Record<string, string>>([
  { 'x-forwarded-for': 'unknown' },
  { 'x-forwarded-for': '127.0.0.1, unknown' },
  { 'x-forwarded-for': '' },
  { 'x-forwarded-for': '203.0.113.5,' },
  { 'x-forwarded-for': `203.0.113.5${' '.repeat(2_048)}` },
  { forwarded: 'for=_hidden' },
  { forwarded: 'for=127.0.0.1, proto=https' },
  { forwarded: 'for="203.0.113.5' },
  { forwarded: 'for=127.0.0.1', 'x-forwarded-for': '203.0.113.5' },
])('does not know the client of %j', (headers) => {
  expect(located(headers, '10.0.0.9')).toEqual(['10.0.0.9', false]);
});

test('takes the address that both headers name', () => {
  const headers = { forwarded: 'for=203.0.113.5', 'x-forwarded-for': '203.0.113.5, 10.0.0.1' };
  expect(located(headers)).toEqual(['203.0.113.5', true]);
});

test('believes no header of an address that is not trusted', () => {
  const headers = { 'x-forwarded-for': '127.0.0.1' };
  expect(located(headers, '192.0.2.1')).toEqual(['192.0.2.1', false]);
  expect(located(headers, '127.0.0.1', new TrustedProxies([]))).toEqual(['127.0.0.1', false]);
});

test('without the headers, the address is that of the connection', () => {
  expect(located({}, '127.0.0.1')).toEqual(['127.0.0.1', true]);
});

test('reads the longest hostile header quickly', () => {
  const start = performance.now();
  for (const piece of ['"', '"\\', 'for="', ',', ';', '[']) located({ forwarded: piece.repeat(2_048).slice(0, 2_048) });
  expect(performance.now() - start).toBeLessThan(200);
});
