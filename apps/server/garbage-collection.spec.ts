import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { builtProgram } from '../../test/support/built';
import { garbageCollectionFlags } from './garbage-collection';

test('V8 knows the flags: it passes over those that it does not know', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  for (const flag of garbageCollectionFlags) expect(known).toContain(`${flag.split('=')[0]} `);
});

test('the young generation of the main thread does not grow, also after the start of a thread', () => {
  const program = `
    const { tuneGarbageCollection } = require('./garbage-collection.js');
    const { getHeapSpaceStatistics } = require('node:v8');
    const { Worker } = require('node:worker_threads');
    const youngBytes = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
    tuneGarbageCollection();
    new Worker('./thread-start.js').once('exit', () => {
      const before = youngBytes();
      let objects = [];
      for (let number = 0; number < 2_000_000; number++) {
        objects.push({ number });
        if (objects.length > 100_000) objects = [];
      }
      process.stdout.write(String(youngBytes() / before));
    });`;
  const folder = dirname(builtProgram('server'));
  const growth = execFileSync(process.execPath, ['--eval', program], { encoding: 'utf8', cwd: folder });
  // The first collection needs its second half.
  expect(Number(growth)).toBeLessThanOrEqual(2);
});
