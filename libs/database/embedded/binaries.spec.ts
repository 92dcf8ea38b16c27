import { chmod, mkdir, mkdtemp, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAccounts } from './account';
import { installedBinaries, usableBinaries, type Binaries } from './binaries';
import { asRoot } from '../../../test/support/as-root';

let root: string;
let installed: Binaries;

/** Creates a package whose install scripts were not run. */
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'nodeledger-binaries-'));
  const folder = join(root, 'package', 'native');
  for (const name of ['bin', 'lib', 'share']) await mkdir(join(folder, name), { recursive: true });
  for (const name of ['bin/initdb', 'bin/postgres', 'lib/libpq.so.5.18', 'lib/libpq.a', 'share/postgres.bki']) {
    await writeFile(join(folder, name), name, { mode: 0o644 });
  }
  const links = ['libpq.so.5', 'libpq.so'].map((name) => ({
    source: 'native/lib/libpq.so.5.18',
    target: `native/lib/${name}`,
  }));
  await writeFile(join(folder, 'pg-symlinks.json'), JSON.stringify(links));
  installed = { folder, version: '18.4.0-x', major: '18' };
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function expectWhole(folder: string): Promise<void> {
  expect(await readlink(join(folder, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
  expect(await readlink(join(folder, 'lib', 'libpq.so'))).toBe('libpq.so.5.18');
  expect((await stat(join(folder, 'bin', 'postgres'))).mode & 0o111).toBe(0o111);
}

it('finds the installed package and its version', async () => {
  const found = await installedBinaries();
  expect(found.version).toMatch(/^\d+\./);
  expect(found.version.split('.')[0]).toBe(found.major);
  expect((await stat(join(found.folder, 'bin', 'postgres'))).isFile()).toBe(true);
});

it('completes the package in place, and finds nothing to do the next time', async () => {
  for (let time = 0; time < 2; time++) {
    expect((await usableBinaries(installed, undefined, join(root, 'copies'))).folder).toBe(installed.folder);
    await expectWhole(installed.folder);
  }
});

it('takes a link that another process has made meanwhile', async () => {
  await symlink('libpq.so.5.18', join(installed.folder, 'lib', 'libpq.so'));
  await usableBinaries(installed, undefined, join(root, 'copies'));
  await expectWhole(installed.folder);
});

(asRoot ? it : it.skip)('copies a package that the account cannot get to, once', async () => {
  await chmod(join(root, 'package'), 0o700);
  await chmod(root, 0o755);
  const account = { name: 'somebody', uid: 54321, gid: 54321 };
  const { folder } = await usableBinaries(installed, account, join(root, 'copies'));
  expect(folder).toBe(join(root, 'copies', '18.4.0-x'));
  await expectWhole(folder);
  await expect(stat(join(folder, 'lib', 'libpq.a'))).rejects.toMatchObject({ code: 'ENOENT' });
  await rm(join(installed.folder, 'share'), { recursive: true });
  expect((await usableBinaries(installed, account, join(root, 'copies'))).folder).toBe(folder);
});

it('copies a package that is not ours to change', async () => {
  await chmod(join(installed.folder, 'lib'), 0o555);
  const { folder } = await asOrdinaryUser(() => usableBinaries(installed, undefined, join(root, 'copies')));
  await chmod(join(installed.folder, 'lib'), 0o755);
  expect(folder).toBe(join(root, 'copies', '18.4.0-x'));
  await expectWhole(folder);
});

/** Root may access everything, so root becomes another user during the work. */
async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  if (!asRoot) return work();
  await chmod(root, 0o777);
  process.seteuid?.(54321);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

it('reads accounts from a passwd file, and leaves out what is none', () => {
  const accounts = parseAccounts(
    'root:x:0:0::/root:/bin/sh\n# comment\n+::::::\nnobody:x:65534:65533:n:/:/bin/false\n',
  );
  expect([...accounts.values()]).toEqual([
    { name: 'root', uid: 0, gid: 0 },
    { name: 'nobody', uid: 65534, gid: 65533 },
  ]);
});
