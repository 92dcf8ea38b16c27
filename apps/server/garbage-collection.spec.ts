import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { builtProgram } from '../../test/support/built';
import { garbageCollectionFlags } from './garbage-collection';

test('V8 knows the flags: it passes over those that it does not know', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  for (const flag of garbageCollectionFlags) expect(known).toContain(`${flag.split('=')[0]} `);
});

test('the young generation of the main thread does not grow, also after the start of a thread', () => {
  // The module is a thread that ends at once.
  const program = `
    const { tuneGarbageCollection } = require('./garbage-collection.js');
    const { startThread } = require('./start-thread.js');
    const { getHeapSpaceStatistics } = require('node:v8');
    const youngBytes = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
    tuneGarbageCollection();
    startThread('thread-priority.js', {}).once('exit', () => {
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
