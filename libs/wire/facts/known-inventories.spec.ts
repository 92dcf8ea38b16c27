import { knownInventory, learnInventory } from './known-inventories';

const learn = (certname: string, environment: string | null): unknown =>
  learnInventory(certname, environment, 'sha256', () => [['bash', '5', 'apt']]);

test('an inventory is remembered for its node, environment and text', () => {
  learn('oak.wood.test', 'grove');
  expect(knownInventory('oak.wood.test', 'grove', 'sha256')).toMatchObject({ count: 1 });
  expect(knownInventory('oak.wood.test', null, 'sha256')).toBeUndefined();
  expect(knownInventory('oak.wood.test', 'grove', 'another')).toBeUndefined();
  expect(knownInventory('elm.wood.test', 'grove', 'sha256')).toBeUndefined();
});

test('nothing is remembered under long names, which would fill the memory', () => {
  const long = 'x'.repeat(100_000);
  expect(learn(long, null)).toMatchObject({ count: 1 });
  expect(knownInventory(long, null, 'sha256')).toBeUndefined();
  learn('elm.wood.test', long);
  expect(knownInventory('elm.wood.test', long, 'sha256')).toBeUndefined();
});
