import { readNetworks } from './networks';

test.each([
  ['192.0.2.7', ['192.0.2.7']],
  ['192.0.2.7, 10.0.0.0/8,2001:db8::/32', ['192.0.2.7', '10.0.0.0/8', '2001:db8::/32']],
  ['0.0.0.0/0,::/0', ['0.0.0.0/0', '::/0']],
  ['', []],
])('reads %j', (text, networks) => expect(readNetworks(text)).toEqual(networks));

test.each(['proxy.test', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', 'fe80::1%eth0', '10.1'])(
  'refuses %j',
  (text) => expect(readNetworks(text)).toBeUndefined(),
);
