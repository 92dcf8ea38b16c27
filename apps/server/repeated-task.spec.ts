import { setTimeout as delay } from 'node:timers/promises';
import { RepeatedTask } from './repeated-task';
import { until } from '../../test/support/until';

it('runs again and again, also after a failure, and never twice at a time', async () => {
  let [runs, atOnce, most] = [0, 0, 0];
  const errors: unknown[] = [];
  const task = new RepeatedTask(
    1,
    async () => {
      most = Math.max(most, ++atOnce);
      await delay(3);
      atOnce -= 1;
      if (++runs === 2) throw new Error('the second fails');
    },
    (error) => errors.push(error),
  );
  task.start();
  task.start();
  await until(() => runs >= 4);
  await task.stop();
  expect([most, atOnce, errors]).toEqual([1, 0, [new Error('the second fails')]]);
});

it('aborts the current run when it stops, waits for it, and reports no failure of it', async () => {
  let [started, ended] = [false, false];
  const errors: unknown[] = [];
  const task = new RepeatedTask(
    1,
    async (signal) => {
      started = true;
      await delay(60_000, undefined, { signal }).finally(() => {
        ended = true;
      });
    },
    (error) => errors.push(error),
  );
  task.start();
  await until(() => started);
  await task.stop();
  expect([ended, errors]).toEqual([true, []]);
});

it('starts again after it was stopped, even from within its own run', async () => {
  let runs = 0;
  const task = new RepeatedTask(
    1,
    async () => {
      runs += 1;
      void task.stop();
      if (runs < 3) task.start();
    },
    () => undefined,
  );
  task.start();
  await until(() => runs === 3);
  await delay(20);
  expect(runs).toBe(3);
  await task.stop();
});

it('does not run at once if the interval is longer than the longest timer', async () => {
  let runs = 0;
  const task = new RepeatedTask(
    2 ** 31,
    async () => void (runs += 1),
    () => undefined,
  );
  task.start();
  await delay(50);
  await task.stop();
  expect(runs).toBe(0);
});
