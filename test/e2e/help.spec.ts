/** What the programs say of themselves without starting anything. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

test.each(['server', 'command-api', 'projector', 'query-api'])('%s --help says how it takes settings', async (name) => {
  const program = join(__dirname, '../../dist/apps', name, 'main.js');
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, '--help'], { timeout: 60_000 });
  expect(stdout).toContain('--config FILE');
  expect(stderr).toBe('');
});
