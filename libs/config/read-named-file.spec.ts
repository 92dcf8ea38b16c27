import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readNamedFile } from './read-named-file';

const folder = mkdtempSync(join(tmpdir(), 'nodeledger-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (path: string): Promise<string> => readNamedFile({ what: 'the list', path, code: 'tls.file' });
const reason = (text: string): unknown =>
  expect.objectContaining({ code: 'tls.file', message: expect.stringContaining(text) as string });

test('a file is read as text; one of more than 32 MB is refused before it is read', async () => {
  const path = join(folder, 'list');
  writeFileSync(path, 'a\n');
  expect(await read(path)).toBe('a\n');
  truncateSync(path, 32 << 20);
  expect((await read(path)).length).toBe(32 << 20);
  truncateSync(path, (32 << 20) + 1);
  await expect(read(path)).rejects.toEqual(reason('it is larger than 33554432 bytes'));
});

test('the error says why a file cannot be read', async () => {
  await expect(read(join(folder, 'none'))).rejects.toEqual(reason('there is no such file'));
  await expect(read(folder)).rejects.toEqual(reason('it is a directory'));
});
