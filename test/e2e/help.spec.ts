/** What the programs say of themselves without starting anything. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { builtProgram } from '../support/built';

test.each(['server', 'command-api', 'projector', 'query-api'])('%s --help says how it takes settings', async (name) => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [builtProgram(name), '--help'], {
    timeout: 60_000,
  });
  expect(stdout).toContain('--config FILE');
  expect(stderr).toBe('');
});
