import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareWorkDirectory } from './work-directory';
import { asRoot } from '../../../../test/support/as-root';

let room: string;
beforeEach(async () => {
  room = await mkdtemp(join(tmpdir(), 'nodeledger-test-'));
});
afterEach(() => rm(room, { recursive: true, force: true }));

const refusal = { code: 'operation.work-directory' };

it('creates the directory for its owner alone, and accepts it again', async () => {
  const directory = join(room, 'a/b');
  await prepareWorkDirectory(directory);
  await prepareWorkDirectory(directory);
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
});

it.each([0o775, 0o702, 0o1777])('refuses a directory with mode %o, which others can write to', async (mode) => {
  await chmod(room, mode);
  await expect(prepareWorkDirectory(room)).rejects.toMatchObject(refusal);
});

it('refuses a directory that cannot be created', async () => {
  await writeFile(join(room, 'file'), '');
  await expect(prepareWorkDirectory(join(room, 'file/backups'))).rejects.toMatchObject({
    ...refusal,
    message: expect.stringContaining('ENOTDIR'),
  });
});

(asRoot ? it : it.skip)('refuses a directory of another user', async () => {
  await chown(room, 12_345, 12_345);
  await expect(prepareWorkDirectory(room)).rejects.toMatchObject(refusal);
});
