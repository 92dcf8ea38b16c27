import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findManifest, manifestName, type Manifest, recordsOf } from './manifest';

let dir: string;
beforeEach(async () => (dir = await mkdtemp(join(tmpdir(), 'nodeledger-manifest-'))));
afterEach(() => rm(dir, { recursive: true }));

const sha256 = 'a'.repeat(64);
const segment = (partition: number, from: number, to: number): object => ({
  ...{
    file: `tail/p${partition}-${from}-${to}.log`,
    bytes: 1,
    sha256,
    partition,
    from,
    to,
    records: to - from,
    last: '',
  },
});
const good = {
  format: 2,
  release: '0.1.0',
  log: {
    id: 'a',
    partitions: [
      { partition: 0, tail: 5, end: 9 },
      { partition: 1, tail: 1, end: 1 },
    ],
    // The first segment of the tail begins before the tail.
    base: [{ ...segment(0, 1, 4), file: 'base-0/p0-1-4.log', records: 2 }],
    tail: [segment(0, 3, 7), segment(0, 7, 9)],
  },
  control: {
    version: 3,
    tables: [{ file: 'control/tokens-a.copy', bytes: 0, sha256, name: 'tokens', columns: [] }],
    sequences: {},
  },
  settings: {},
};
type Change = (manifest: typeof good) => unknown;

async function found(manifest: unknown): Promise<Manifest | undefined> {
  await writeFile(join(dir, manifestName), JSON.stringify(manifest));
  return findManifest(dir);
}

test('a manifest is read; its records are those of the base and of the tail', async () => {
  const manifest = await found(good);
  expect(manifest).toEqual(good);
  expect(recordsOf(manifest as Manifest)).toBe(2 + 4);
});

test('a manifest of format 3 is read', async () => {
  expect(await found({ ...good, format: 3 })).toMatchObject({ format: 3 });
});

test('a manifest of a later format names the release that wrote it', async () => {
  await expect(found({ ...good, format: 4, release: '9.9.9' })).rejects.toMatchObject({
    code: 'backup.newer',
    hint: expect.stringContaining('9.9.9') as string,
  });
});

test.each<[string, RegExp, Change]>([
  ['null', /no manifest/, () => null],
  ['a list', /no manifest/, () => []],
  ['no format', /no known format/, (m) => ({ ...m, format: '1' })],
  ['no log', /no log/, (m) => ({ ...m, log: undefined })],
  ['no tail', /no files/, (m) => ({ ...m, log: { ...m.log, tail: undefined } })],
  ['no control tables', /no files/, (m) => ({ ...m, control: undefined })],
  ['no version of the control tables', /no control tables/, (m) => ({ ...m, control: { ...m.control, version: '3' } })],
  ['a file that is null', /no manifest/, (m) => ({ ...m, log: { ...m.log, base: [null] } })],
  [
    'a partition twice',
    /partitions/,
    (m) => ({ ...m, log: { ...m.log, partitions: [good.log.partitions[0], good.log.partitions[0]] } }),
  ],
  [
    'a partition without a tail',
    /partitions/,
    (m) => ({ ...m, log: { ...m.log, partitions: [{ partition: 0, end: 9 }] } }),
  ],
  ['a file above the directory', /file \.\.\/x/, (m) => changed(m, { file: '../x' })],
  ['an absolute path', /file \/etc\/passwd/, (m) => changed(m, { file: '/etc/passwd' })],
  ['a path with dots', /file tail\/\.\.\/x/, (m) => changed(m, { file: 'tail/../x' })],
  ['a size that is no number', /size or hash/, (m) => changed(m, { bytes: '1' })],
  ['a short hash', /size or hash/, (m) => changed(m, { sha256: 'a' })],
  ['a gap in the tail', /does not follow/, (m) => changed(m, { from: 8, records: 1 })],
  ['a segment past the end', /does not follow/, (m) => changed(m, { to: 10, records: 3 })],
  ['an empty segment', /does not follow/, (m) => changed(m, { to: 7, records: 0 })],
  ['fewer records than offsets', /has 1 records for 2 offsets/, (m) => changed(m, { records: 1 })],
  ['a segment of no partition', /does not follow/, (m) => changed(m, { partition: 7 })],
  [
    'an end that no segment reaches',
    /partition 0 end too early/,
    (m) => ({ ...m, log: { ...m.log, tail: m.log.tail.slice(0, 1) } }),
  ],
])('with %s is refused', async (_title, message, change) => {
  await expect(found(change(good))).rejects.toMatchObject({
    code: 'backup.damaged',
    message: expect.stringMatching(message) as string,
  });
});

/** Returns the manifest with a change in its last segment. */
const changed = (manifest: typeof good, change: object): object => {
  const tail = [...manifest.log.tail];
  tail[1] = { ...tail[1], ...change };
  return { ...manifest, log: { ...manifest.log, tail } };
};
