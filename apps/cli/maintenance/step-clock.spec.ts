import { StepClock } from './step-clock';
import { progressLine } from './progress-display';

const records = (step: string, done: number, total: number) => ({ step, done, total, unit: 'records' as const });

test('the pace of a step counts from its begin', () => {
  const clock = new StepClock(1_000);
  expect(clock.update(records('replay', 100, 1_000), 2_000)).toMatchObject({
    begins: true,
    perSecond: 100,
    secondsLeft: 9,
  });
  expect(clock.update(records('replay', 500, 1_000), 3_000)).toMatchObject({
    begins: false,
    perSecond: 250,
    secondsLeft: 2,
  });
  expect(clock.update(records('replay', 1_000, 1_000), 5_000)).toMatchObject({ perSecond: 250, secondsLeft: 0 });
});

test('the next step, another size, and a start over are steps of their own', () => {
  const clock = new StepClock(0);
  clock.update(records('replay', 1_000, 1_000), 10_000);
  expect(clock.update(records('compare', 1, 4), 12_000)).toMatchObject({ begins: true, seconds: 2, perSecond: 0.5 });
  expect(clock.update(records('compare', 1, 9), 13_000)).toMatchObject({ begins: true, seconds: 1 });
  expect(clock.update(records('compare', 0, 9), 14_000)).toMatchObject({
    begins: true,
    perSecond: 0,
    secondsLeft: undefined,
  });
});

test('a line says how far, how fast and how long', () => {
  const clock = new StepClock(0);
  expect(progressLine(clock.update(records('replay', 12_400, 50_000), 10_000))).toBe(
    'replay: 12,400 of 50,000 records, 1,240 records/s, 30.3 s left',
  );
  expect(progressLine(clock.update(records('replay', 50_000, 50_000), 40_000))).toBe(
    'replay: 50,000 of 50,000 records, 1,250 records/s, took 40.0 s',
  );
  expect(progressLine(clock.update({ step: 'compare', done: 3, total: 20, unit: 'tables' }, 41_000))).toBe(
    'compare: 3 of 20 tables, 5.7 s left',
  );
});
