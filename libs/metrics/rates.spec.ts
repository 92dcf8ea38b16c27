import { Rates } from './rates';

let now: number;
beforeEach(() => (now = 0));
const clock = (): number => now;
const minutes = (count: number): number => count * 60_000;

test('nothing happened', () => {
  expect(new Rates(clock).values()).toEqual({ mean: 0, oneMinute: 0, fiveMinutes: 0, fifteenMinutes: 0 });
});

test('three events in the first five seconds, then none: the averages decay as the reference’s meters do', () => {
  const rates = new Rates(clock);
  rates.mark(3);
  now = 5_000;
  expect(rates.values().oneMinute).toBeCloseTo(0.6, 8);
  // The values that Dropwizard documents for its meters with this input, after one, five and fifteen minutes.
  for (const [after, one, five, fifteen] of [
    [1, 0.22072766, 0.49123845, 0.56130419],
    [5, 0.00404277, 0.22072766, 0.42991879],
    [15, 0.00000018, 0.02987224, 0.22072766],
  ] as const) {
    now = 5_000 + minutes(after);
    const values = rates.values();
    expect(values.oneMinute).toBeCloseTo(one, 8);
    expect(values.fiveMinutes).toBeCloseTo(five, 8);
    expect(values.fifteenMinutes).toBeCloseTo(fifteen, 8);
  }
});

test('a steady rate is every average, and the mean', () => {
  const rates = new Rates(clock);
  for (let second = 0; second < 1_800; second++) {
    now = second * 1_000;
    rates.mark(20);
  }
  now = 1_800_000;
  expect(rates.count).toBe(36_000);
  for (const rate of Object.values(rates.values())) expect(rate).toBeCloseTo(20, 6);
});

test('it makes no difference how often somebody looks', () => {
  const [seldom, often] = [new Rates(clock), new Rates(clock)];
  for (let step = 0; step < 500; step++) {
    now = step * 700;
    seldom.mark(step % 7);
    often.mark(step % 7);
    often.values();
  }
  expect(often.values()).toEqual(seldom.values());
});

test('after a year without events nothing is left, at once', () => {
  const rates = new Rates(clock);
  rates.mark(1e6);
  now = 365 * 24 * minutes(60);
  const startedAt = performance.now();
  const { oneMinute, fifteenMinutes } = rates.values();
  expect([oneMinute, fifteenMinutes]).toEqual([0, 0]);
  expect(performance.now() - startedAt).toBeLessThan(50);
});
