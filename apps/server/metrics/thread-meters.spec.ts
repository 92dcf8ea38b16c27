import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { ProjectorThreadMeters } from './thread-meters';
import type { Collection, ThreadFigures } from './thread-probe';

const figures = (busyMs: number): ThreadFigures => ({
  heap: { used: 1, total: 2, limit: 3, external: 4 },
  busyMs,
  loopDelay: { mean: 0, p99: 0, max: 0 },
});

test('a thread that takes the place of another one goes on with its counters', () => {
  const meters = new ProjectorThreadMeters();
  expect(meters.figures()).toBeUndefined();
  meters.update(figures(100), [['minor', 2]]);
  meters.update(figures(150), [['major', 7]]);
  meters.ended();
  expect(meters.figures()).toBeUndefined();
  meters.ended();
  meters.update(figures(5), [['minor', 1]]);
  expect(meters.figures()?.busyMs).toBe(155);
  expect(meters.collections.all().map(({ labels, meter: { count, sum } }) => [...labels, count, sum])).toEqual([
    ['minor', 2, 3],
    ['major', 1, 7],
  ]);
});

test('a thread tells of itself alone: its heap, its limit, its pauses', async () => {
  const program = `
    require(${JSON.stringify(join(__dirname, '../../../test/support/run-typescript.cjs'))});
    const { ThreadProbe } = require(${JSON.stringify(join(__dirname, 'thread-probe.ts'))});
    const collections = [];
    const probe = new ThreadProbe((...one) => collections.push(one));
    probe.start();
    setTimeout(() => {
      let kept = [];
      for (const end = Date.now() + 300; Date.now() < end; kept = kept.length > 1_000 ? [] : kept) kept.push(Array(1_000).fill(0));
      setTimeout(() => {
        require('node:worker_threads').parentPort.postMessage([probe.read(), collections]);
        probe.stop();
      }, 200);
    }, 50);`;
  const worker = new Worker(program, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 128 } });
  const [read, collections] = await new Promise<[ThreadFigures, Collection[]]>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  await worker.terminate();
  expect(read.heap.limit).toBeLessThan(getHeapStatistics().heap_size_limit);
  expect(read.heap.used).toBeGreaterThan(0);
  expect(read.heap.used).toBeLessThanOrEqual(read.heap.total);
  expect(read.busyMs).toBeGreaterThanOrEqual(250);
  expect(read.loopDelay.max).toBeGreaterThanOrEqual(200);
  expect(collections.length).toBeGreaterThan(0);
  expect(collections.every(([kind, ms]) => kind !== '' && ms >= 0)).toBe(true);
});
