import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { takeStartLock } from './start-lock';

/** A lock of a process that has ended. */
const abandoned = (lock: string): string => `${lock}.${2 ** 22 + 1}-1-00`;
let path: string;
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'nodeledger-start-'));
  path = join(dir, 'postgres.starting');
});
afterEach(() => rm(dir, { recursive: true }));

test('starters that race hold the lock one after the other, also if a dead process left its lock', async () => {
  let [holders, most] = [0, 0];
  for (let round = 0; round < 10; round++) {
    await writeFile(abandoned(path), '');
    await Promise.all(
      Array.from({ length: 6 }, async (_, starter) => {
        for (let turn = 0; turn < starter * 3; turn++) await new Promise(setImmediate);
        const release = await takeStartLock(path);
        most = Math.max(most, ++holders);
        await delay(2);
        holders -= 1;
        await release();
      }),
    );
  }
  expect(most).toBe(1);
  expect(await readdir(dir)).toEqual([]);
}, 60_000);

test('says which directory has the name of a start lock', async () => {
  await mkdir(abandoned(path));
  await expect(takeStartLock(path)).rejects.toMatchObject({
    code: 'database.data-dir',
    message: expect.stringContaining(abandoned(path)) as string,
  });
  expect(await readdir(dir)).toEqual([basename(abandoned(path))]);
});
