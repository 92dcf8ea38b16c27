import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtProgram } from '../../test/support/built';
import { garbageCollectionFlags, mainThreadFlag } from './garbage-collection';

test('V8 knows the flags: it ignores those that it does not know', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  for (const flag of [...garbageCollectionFlags, mainThreadFlag]) expect(known).toContain(`${flag.split('=')[0]} `);
});

/**
 * Starts a process with these flags that starts threads and keeps many of its objects. Returns the size of the young
 * generation in this process, in megabytes.
 */
function youngMb(flags: readonly string[]): number {
  const program = `
    const { tuneGarbageCollection } = require('./garbage-collection.js');
    const { getHeapSpaceStatistics } = require('node:v8');
    const { Worker } = require('node:worker_threads');
    tuneGarbageCollection();
    let objects = [];
    let most = 0;
    let steps = 0;
    function work() {
      for (let number = 0; number < 20_000; number++) objects.push({ number });
      if (objects.length > 200_000) objects = [];
      const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
      most = Math.max(most, young.space_size / 2 ** 20);
      if (++steps % 50 === 0) new Worker('', { eval: true });
      if (steps < 200) setTimeout(work, 2);
      else process.stdout.write(String(most));
    }
    work();`;
  const folder = dirname(builtProgram('server'));
  return Number(execFileSync(process.execPath, [...flags, '--eval', program], { encoding: 'utf8', cwd: folder }));
}

test('the flag limits the young generation of the main thread, also when threads start', () => {
  expect(youngMb([])).toBeGreaterThan(16);
  expect(youngMb([mainThreadFlag])).toBe(16);
});

test.each([
  ['package.json', 4],
  ['docker-compose.yml', 4],
  ['deploy/Dockerfile', 1],
  ['deploy/systemd/nodeledger.service', 1],
  ['docs/install.md', 2],
  ['test/load/support/arguments.mjs', 1],
])('%s starts the programs with the flag', (file, times) => {
  const text = readFileSync(join(__dirname, '../..', file), 'utf8');
  expect(text.split(mainThreadFlag)).toHaveLength(times + 1);
});
