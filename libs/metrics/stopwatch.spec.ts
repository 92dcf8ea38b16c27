import { Stopwatch } from './stopwatch';

test('gives each step the time since the one before it, and begins anew', () => {
  let now = 5;
  const watch = new Stopwatch<'read' | 'write'>(() => now);
  now = 7;
  watch.did('read');
  now = 10;
  watch.did('write');
  now = 14;
  watch.did('read');
  const { times } = watch;
  expect([...times]).toEqual([
    ['read', 6],
    ['write', 3],
  ]);
  now = 20;
  watch.begin();
  now = 21;
  watch.did('write');
  expect([...watch.times]).toEqual([['write', 1]]);
  // Times that were returned earlier do not change.
  expect(times.get('read')).toBe(6);
});

test('reads the clock once for each step', () => {
  let readings = 0;
  const watch = new Stopwatch<'read'>(() => ++readings);
  for (let step = 0; step < 10; step++) watch.did('read');
  expect(readings).toBe(11);
});
