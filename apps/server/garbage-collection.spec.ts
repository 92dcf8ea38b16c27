import { execFileSync } from 'node:child_process';
import { garbageCollectionFlags } from './garbage-collection';

test('V8 knows the flags: it passes over those that it does not know', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  for (const flag of garbageCollectionFlags) expect(known).toContain(`${flag.split('=')[0]} `);
});
