/** Tests the output of the programs that start nothing. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtProgram } from '../support/built';
import { ownEnvironment } from './own-environment';
import { refusedStart, temporaryDataDir } from './service';
import type { VerbEnd } from './verb';

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

test('./nodeledger of the clone runs a verb from any folder, and prints nothing of its own', async () => {
  const script = join(__dirname, '../../nodeledger');
  const settings = { NODELEDGER_PORT: '9099' };
  const { stdout, stderr } = await promisify(execFile)(script, ['config', '--changed'], {
    cwd: tmpdir(),
    env: ownEnvironment(settings),
  });
  expect([stdout.split(/ {2,}/).slice(0, 3), stderr]).toEqual([['NODELEDGER_PORT', '9099', 'environment'], '']);
});

describe('an unsupported Node.js', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nodeledger-old-node-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Runs a program in a Node.js that reports the version `version`. */
  async function runWith(version: string, program: string, args: readonly string[], cwd = folder): Promise<unknown> {
    const claim = join(folder, `${version}.cjs`);
    await writeFile(
      claim,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });\n`,
    );
    const env = { ...process.env, NODE_OPTIONS: `--require ${claim}` };
    return promisify(execFile)(program, args, { cwd, env, timeout: 60_000 }).then(
      () => ({ code: 0 }),
      ({ code, stdout, stderr }: VerbEnd) => ({ code, output: stdout + stderr }),
    );
  }

  test.each(['cli', 'server', 'command-api', 'projector', 'query-api'])(
    '%s refuses it and starts nothing',
    async (name) => {
      const outcome = await runWith('18.20.8', process.execPath, [builtProgram(name), '--version']);
      expect(outcome).toEqual({ code: 1, output: 'nodeledger needs Node.js 20.19 or newer; this is 18.20.8\n' });
    },
  );

  test('npm start refuses it before the build', async () => {
    const root = join(__dirname, '../..');
    expect(await runWith('18.20.8', 'npm', ['run', '--silent', 'build'], root)).toMatchObject({
      code: 1,
      output: expect.stringContaining('nodeledger needs Node.js 20.19 or newer; this is 18.20.8\n') as string,
    });
  });

  test.each([
    ['20.18.3', '20.19'],
    ['21.7.3', '22.13'],
    ['22.12.0', '22.13'],
    ['23.11.0', '24.11'],
    ['24.10.0', '24.11'],
  ])('%s needs %s', async (version, least) => {
    expect(await runWith(version, process.execPath, [builtProgram('cli'), '--version'])).toEqual({
      code: 1,
      output: `nodeledger needs Node.js ${least} or newer; this is ${version}\n`,
    });
  });

  test.each(['20.19.0', '22.13.0', '24.11.0', '26.0.0'])('%s is supported', async (version) => {
    expect(await runWith(version, process.execPath, [builtProgram('cli'), '--version'])).toEqual({ code: 0 });
  });
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
