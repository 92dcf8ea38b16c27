import { FittingAge } from './fitting-age';

const day = 86_400_000;
const most = 100;

it('does not limit the age of data that has room', () => {
  const age = new FittingAge();
  age.look({ bytes: most, ageMs: 3 * day }, most, 14 * day);
  expect(age.ageMs).toBeUndefined();
});

it('lets data that takes more than its share become no older', () => {
  const age = new FittingAge();
  for (const bytes of [101, 103, 106]) age.look({ bytes, ageMs: 3 * day }, most, 14 * day);
  expect(age.ageMs).toBe(3 * day);
});

it('shortens the age step by step while the files grow, but not to less than a hundredth of the setting', () => {
  const age = new FittingAge();
  for (const bytes of [110, 116, 122]) age.look({ bytes, ageMs: 10 * day }, most, 14 * day);
  expect(age.ageMs).toBeCloseTo(6.4 * day);
  for (let bytes = 130, n = 0; n < 40; n++, bytes *= 1.06) age.look({ bytes, ageMs: day }, most, 14 * day);
  expect(age.ageMs).toBeCloseTo(0.14 * day);
});

it('ends when the disk has been enlarged', () => {
  const age = new FittingAge();
  age.look({ bytes: 200, ageMs: 3 * day }, most, 14 * day);
  expect(age.ageMs).toBe(3 * day);
  age.look({ bytes: 200, ageMs: 3 * day }, 4 * most, 14 * day);
  expect(age.ageMs).toBeUndefined();
});

it('shortens the age of data that is as old as the setting allows', () => {
  const age = new FittingAge();
  age.look({ bytes: 200, ageMs: 15 * day }, most, 14 * day);
  expect(age.ageMs).toBeCloseTo(11.2 * day);
});
