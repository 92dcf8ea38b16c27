/**
 * Tests the Python library pypuppetdb with the built service: pypuppetdb_check.py compares the objects of the library
 * with the plain answers. Needs a python3 with the library (Debian: python3-pypuppetdb);
 * NODELEDGER_REQUIRE_PYTHON_CLIENTS=1 makes its absence a failure.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tellSkipped } from '../support/tell-skipped';
import { startService, temporaryDataDir, type RunningService } from '../e2e/service';

const conformance = join(__dirname, '../conformance');
const hasLibrary = (python: string): boolean => spawnSync(python, ['-c', 'import pypuppetdb']).status === 0;
// The first python3 of the path may not be the one of the system's packages.
const python = ['python3', '/usr/bin/python3'].find(hasLibrary);

if (python === undefined) tellSkipped('no python3 here has pypuppetdb', 'NODELEDGER_REQUIRE_PYTHON_CLIENTS');
(python === undefined ? describe.skip : describe)('pypuppetdb', () => {
  let service: RunningService;
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await temporaryDataDir();
    const env = { NODELEDGER_DIALECT: 'puppetdb', NODELEDGER_GC_INTERVAL: '0', NODELEDGER_REPORT_TTL: '20000d' };
    service = await startService({ dataDir, env });
    const load = ['load.mjs', service.url, 'datasets/public.jsonl', '--dialect', 'puppetdb', '--allow-failures'];
    execFileSync(process.execPath, load, { cwd: conformance });
  }, 120_000);

  afterAll(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('gives what the service answers', () => {
    const { stdout, stderr } = spawnSync(
      python ?? '',
      ['-B', '-W', 'ignore', join(__dirname, 'pypuppetdb_check.py'), service.url],
      { encoding: 'utf8' },
    );
    const failed = stdout.split('\n').filter((line) => line.startsWith('FAILED'));
    expect({ failed, stderr: stdout === '' ? stderr : '' }).toEqual({ failed: [], stderr: '' });
    expect(stdout).toMatch(/^26 of 26 checks passed$/m);
  }, 120_000);
});
