import { existsSync, readFileSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unfinished, writeWhole } from './files';

let dir: string;
beforeEach(async () => (dir = await mkdtemp(join(tmpdir(), 'nodeledger-files-'))));
afterEach(() => rm(dir, { recursive: true }));

test('a file is flushed before it gets its name, and its directory is flushed afterwards', async () => {
  const path = join(dir, 'manifest.json');
  const handle = await open(dir, 'r');
  const fileHandle = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const flushed: string[] = [];
  const sync = jest.spyOn(fileHandle, 'sync').mockImplementation(async function (this: FileHandle) {
    const isDirectory = (await this.stat()).isDirectory();
    flushed.push(
      isDirectory ? `directory with ${readFileSync(path, 'utf8')}` : readFileSync(path + unfinished, 'utf8'),
    );
    if (!isDirectory) expect(existsSync(path)).toBe(false);
  });
  try {
    await writeWhole(path, 'content');
  } finally {
    sync.mockRestore();
  }
  expect(flushed).toEqual(['content', 'directory with content']);
});
