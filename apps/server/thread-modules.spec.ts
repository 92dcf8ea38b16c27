/**
 * Checks which modules threads load, because each module takes memory in each thread. NestJS alone takes 20 MB, and no
 * thread needs it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtProgram } from '../../test/support/built';

const dist = join(dirname(builtProgram('server')), '../..');

/** Returns the packages that a program in `dist` loads when it starts, including the packages that its modules load. */
function packagesOf(program: string): Set<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const waiting = [program];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/\brequire\("([^"]+)"\)/g)) {
      if (name!.startsWith('#')) waiting.push(join(dist, 'libs', name!.slice(1), 'index.js'));
      else if (name!.startsWith('.')) waiting.push(moduleAt(join(dirname(file), name!)));
      else packages.add(name!);
    }
  }
  return packages;
}

const moduleAt = (path: string): string => (existsSync(`${path}.js`) ? `${path}.js` : join(path, 'index.js'));

test.each(['export', 'projector', 'replay', 'snapshot'])(
  'the thread of the %s loads nothing of the HTTP server',
  (thread) => {
    const packages = packagesOf(join(dist, 'apps/server', `${thread}-worker.js`));
    expect(packages).toContain('pg');
    expect([...packages].filter((name) => /^(@nestjs\/|fastify|rxjs)/.test(name))).toEqual([]);
  },
);

test.each(['commands/reading/reading-worker.js', 'query/http/query-worker.js', 'archive/import/heads-worker.js'])(
  '%s loads no package',
  (program) => {
    const packages = packagesOf(join(dist, 'libs', program));
    expect(packages).toContain('node:worker_threads');
    expect([...packages].filter((name) => !name.startsWith('node:'))).toEqual([]);
  },
);
