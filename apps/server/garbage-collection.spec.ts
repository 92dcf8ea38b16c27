import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { builtProgram } from '../../test/support/built';
import { garbageCollectionFlags, mainYoungMb } from './garbage-collection';

test('V8 knows the flags: it ignores those that it does not know', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  for (const flag of [...garbageCollectionFlags, '--max-semi-space-size'])
    expect(known).toContain(`${flag.split('=')[0]} `);
});

/** Megabytes of the young generation of a process that has started a thread, and keeps many of the objects that it makes. */
function youngMb(limit: string): number {
  const program = `
    const { limitYoungGeneration } = require('./garbage-collection.js');
    const { getHeapSpaceStatistics } = require('node:v8');
    const { Worker } = require('node:worker_threads');
    ${limit}
    let objects = [];
    let steps = 0;
    function work() {
      for (let number = 0; number < 20_000; number++) objects.push({ number });
      if (objects.length > 200_000) objects = [];
      if (++steps < 300) return setTimeout(work, 2);
      const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
      process.stdout.write(String(young.space_size / 2 ** 20));
    }
    new Worker('', { eval: true }).once('exit', () => setTimeout(work, 500));`;
  const folder = dirname(builtProgram('server'));
  return Number(execFileSync(process.execPath, ['--eval', program], { encoding: 'utf8', cwd: folder }));
}

test('the young generation of the main thread stays limited after the start of a thread', () => {
  expect(youngMb('')).toBeGreaterThan(mainYoungMb);
  expect(youngMb('limitYoungGeneration();')).toBeLessThanOrEqual(mainYoungMb);
});
