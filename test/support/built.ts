/**
 * The built programs (`npm run build`), for tests that run them. `dist/build.json` holds the digest of each source that
 * `dist` was made of. Times of files would not do: a checkout sets them.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const folders = ['apps', 'libs', 'migrations', 'tools'];

interface BuildNotes {
  /** The SHA-256 of each source, by its path. */
  readonly sources: Readonly<Record<string, string>>;
}

/** The same files as in `scripts/build.mjs`. */
const isSource = (path: string): boolean =>
  path.endsWith('.ts') &&
  !/\.(spec|d)\.ts$/.test(path) &&
  !/(^|\/)testing\//.test(path) &&
  !path.startsWith('apps/console/');

/** Returns why the programs in `dist` do not match the sources, or undefined if they do. */
export function whyStale(project = root): string | undefined {
  const advice = 'run npm run build';
  const dist = join(project, 'dist');
  const notesFile = join(dist, 'build.json');
  if (!existsSync(notesFile)) return `dist is missing: ${advice}`;
  const { sources } = JSON.parse(readFileSync(notesFile, 'utf8')) as BuildNotes;
  const built = new Map(Object.entries(sources));
  for (const folder of folders) {
    for (const name of readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })) {
      const path = `${folder}/${name}`;
      if (!isSource(path)) continue;
      const digest = createHash('sha256')
        .update(readFileSync(join(project, path), 'utf8'))
        .digest('hex');
      if (built.get(path) !== digest) return `dist is older than ${path}: ${advice}`;
      if (!existsSync(join(dist, path.replace(/ts$/, 'js')))) return `dist lacks ${path}: ${advice}`;
      built.delete(path);
    }
  }
  const [gone] = built.keys();
  return gone === undefined ? undefined : `dist still has ${gone}, which is gone: ${advice}`;
}

let checked = false;

/** Returns the path of a built program of `apps`. Throws if `dist` was not made of the current sources. */
export const builtProgram = (app: string): string => builtFile(`apps/${app}/main.js`);

/** Returns the path of a built file, relative to `dist`. Throws if `dist` was not made of the current sources. */
export function builtFile(path: string): string {
  const stale = checked ? undefined : whyStale();
  if (stale !== undefined) throw new Error(stale);
  checked = true;
  return join(root, 'dist', path);
}
