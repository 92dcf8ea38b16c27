/** What the programs say of themselves without starting anything. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtProgram } from '../support/built';
import { refusedStart, temporaryDataDir } from './service';

test.each(['server', 'command-api', 'projector', 'query-api'])('%s --help says how it takes settings', async (name) => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [builtProgram(name), '--help'], {
    timeout: 60_000,
  });
  expect(stdout).toContain('--config FILE');
  expect(stdout).toContain('--node-ttl (default: 7d)\n');
  expect(stdout.includes('--components NAMES')).toBe(name === 'server');
  expect(stderr).toBe('');
});

test('--version prints the version, and nothing else', async () => {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string };
  const { stdout } = await promisify(execFile)(process.execPath, [builtProgram('server'), '--version']);
  expect(stdout).toBe(`${version}\n`);
});

test('a start whose port is taken creates nothing', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const dataDir = await temporaryDataDir();
  const { port } = taken.address() as AddressInfo;
  const inner = join(dataDir, 'data');
  const { code, output } = await refusedStart({
    dataDir,
    env: { NODELEDGER_PORT: `${port}`, NODELEDGER_DATA_DIR: inner },
  });
  expect([code, existsSync(inner)]).toEqual([1, false]);
  expect(output).toContain(`port ${port} of 127.0.0.1 is in use by another program`);
  taken.close();
  await rm(dataDir, { recursive: true });
});
