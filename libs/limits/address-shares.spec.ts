import { AddressShares } from './address-shares';

test('an address may have half, rounded up; all addresses together everything', () => {
  const shares = new AddressShares();
  expect([shares.fits('a', 3, 5), shares.fits('a', 4, 5)]).toEqual([true, false]);
  shares.add('a', 3);
  expect([shares.fits('a', 1, 5), shares.fits('b', 2, 5), shares.fits('b', 3, 5)]).toEqual([false, true, false]);
  shares.add('b', 2);
  expect([shares.fits('c', 1, 5), shares.taken, shares.takenBy('b')]).toEqual([false, 5, 2]);
});

test('without an address only the total counts', () => {
  const shares = new AddressShares();
  expect([shares.fits(undefined, 5, 5), shares.fits(undefined, 6, 5)]).toEqual([true, false]);
  shares.add(undefined, 5);
  expect(shares.fits('a', 1, 5)).toBe(false);
});

test('an address that has given everything back is forgotten', () => {
  const shares = new AddressShares();
  shares.add('a', 2);
  shares.add('a', -2);
  expect([shares.taken, shares.takenBy('a'), shares.fits('a', 3, 5)]).toEqual([0, 0, true]);
  // `toEqual` also compares the private map of addresses.
  expect(shares).toEqual(new AddressShares());
});
