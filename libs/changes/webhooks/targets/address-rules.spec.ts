import { AddressRules } from './address-rules';

const refusedAddresses = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:a9fe:a9fe',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '100::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '3fff::1',
  'localhost',
  '',
];

test.each(refusedAddresses)('%s is refused', (address) => {
  expect(new AddressRules().allows(address)).toBe(false);
});

test.each(['8.8.8.8', '100.63.255.255', '100.128.0.1', '172.32.0.1', '223.255.255.255', '2606:4700::1', '2a00::1'])(
  '%s is public',
  (address) => {
    expect(new AddressRules().allows(address)).toBe(true);
  },
);

test('networks and addresses of the setting are allowed, and nothing next to them', () => {
  const rules = new AddressRules(['10.1.0.0/16', '127.0.0.1', 'fd00:1::/32']);
  expect(['10.1.255.255', '127.0.0.1', 'fd00:1::9', '8.8.8.8'].every((address) => rules.allows(address))).toBe(true);
  expect(['10.2.0.0', '127.0.0.2', 'fd00:2::9', 'fe80::1%eth0'].some((address) => rules.allows(address))).toBe(false);
});
