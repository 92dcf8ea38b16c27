/**
 * Tests the package of `npm pack`: an ordinary user installs it into an empty folder, starts it, sends requests and
 * stops it.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parseAccounts } from '../../libs/database/embedded/account';
import { tellSkipped } from '../support/tell-skipped';
import { until } from '../support/until';

const run = promisify(execFile);
const project = join(__dirname, '../..');
const unreachable = /ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ENOTCACHED/;

interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** The account that installs and runs the package. Root uses the account nobody. */
interface User {
  readonly uid?: number;
  readonly gid?: number;
  readonly env: NodeJS.ProcessEnv;
}

let folder: string;
let packed: Packed;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodeledger-package-'));
  await chmod(folder, 0o755);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: project });
  packed = (JSON.parse(stdout) as [Packed])[0];
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test('it has the compiled service, its pages and its licence, and nothing that only the repository needs', () => {
  const paths = packed.files.map(({ path }) => path);
  const roots = [...new Set(paths.map((path) => path.split('/')[0]))].sort();
  const pages = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md'];
  expect(roots).toEqual([...pages, 'deploy', 'dist', 'docs', 'package.json', 'scripts'].sort());
  for (const path of ['apps/cli/main', 'apps/server/projector-worker', 'migrations/index', 'libs/query/index'])
    expect(paths).toContain(`dist/${path}.js`);
  expect(paths.filter((path) => /\.(ts|map)$|\.spec\.|^test\//.test(path))).toEqual([]);
  expect(packed.unpackedSize).toBeLessThan(8_000_000);
});

test('an ordinary user installs it into an empty folder, starts it, asks it and stops it', async () => {
  const user = await ordinaryUser();
  if (user === undefined) return tellSkipped('root finds no account nobody', 'NODELEDGER_REQUIRE_PACKAGE');
  const home = join(folder, 'empty');
  await mkdir(home);
  await give(home, user);
  const options = { ...user, cwd: home };
  const tarball = join(folder, packed.filename);
  try {
    // Has a name, because npm would install into a parent folder with a package.json.
    await run('npm', ['install', '--prefix', home, '--prefer-offline', '--no-audit', '--no-fund', tarball], options);
  } catch (error) {
    if (unreachable.test(String(error)))
      return tellSkipped('the packages cannot be fetched here', 'NODELEDGER_REQUIRE_PACKAGE');
    throw error;
  }
  const modules = join(home, 'node_modules');
  for (const name of ['typescript', 'jest', '@swc/core']) expect(existsSync(join(modules, name))).toBe(false);
  const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { version: string };
  expect((await run('npx', ['--no-install', 'nodeledger', '--version'], options)).stdout).toBe(`${version}\n`);

  const program = join(modules, '.bin/nodeledger');
  const service = spawn(program, ['start', '--port', '0', '--data-dir', join(home, 'data')], options);
  const ended = once(service, 'exit');
  let output = '';
  for (const stream of [service.stdout, service.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const listening = /listens on (http:\S+)/;
  try {
    await until(() => listening.test(output) || service.exitCode !== null, { withinMs: 60_000 });
    expect(output).toMatch(listening);
    const url = listening.exec(output)?.[1] ?? '';
    const answer = await fetch(
      `${url}/pdb/cmd/v1?command=replace_facts&version=5&certname=a.test&secondsToWaitForCompletion=30`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          certname: 'a.test',
          environment: 'production',
          producer: null,
          producer_timestamp: new Date().toISOString(),
          values: { kernel: 'Linux' },
        }),
      },
    );
    expect(await answer.json()).toMatchObject({ processed: true });
    const asked = await run(program, ['facts', 'a.test', '--url', url], options);
    expect(JSON.parse(asked.stdout)).toEqual([{ name: 'kernel', value: 'Linux' }]);

    // As cron starts it: by a link, from another directory, with a short PATH.
    const link = join(home, 'nodeledger');
    await symlink(program, link);
    const cron = { ...user, cwd: '/', env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home } };
    const backup = join(home, 'backup');
    await run(link, ['backup', backup, '--data-dir', join(home, 'data')], cron);
    const checked = await run(link, ['backup', '--check', backup], cron);
    expect(JSON.parse(checked.stdout)).toMatchObject({ whole: true });
  } finally {
    service.kill('SIGTERM');
    const late = setTimeout(() => service.kill('SIGKILL'), 30_000);
    await ended;
    clearTimeout(late);
  }
  expect([service.exitCode, output]).toEqual([0, expect.stringContaining('nodeledger has stopped') as string]);
}, 300_000);

test('start --help is that of the service', async () => {
  const { stdout } = await run(process.execPath, [join(project, 'dist/apps/cli/main.js'), 'start', '--help']);
  expect(stdout).toContain('--components NAMES');
});

/** Undefined if root cannot use another account. */
async function ordinaryUser(): Promise<User | undefined> {
  const settings = (name: string): boolean => /^(NODELEDGER_|npm_)|^(DATABASE_URL|KAFKA_BROKERS|HOME)$/i.test(name);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !settings(name)));
  const registry = (await run('npm', ['config', 'get', 'registry'], { cwd: project })).stdout.trim();
  const cache = (await run('npm', ['config', 'get', 'cache'], { cwd: project })).stdout.trim();
  if (process.getuid?.() !== 0)
    return { env: { ...env, HOME: folder, npm_config_registry: registry, npm_config_cache: cache } };
  const nobody = parseAccounts(readFileSync('/etc/passwd', 'utf8')).get('nobody');
  if (nobody === undefined) return undefined;
  const { uid, gid } = nobody;
  const own = join(folder, 'home');
  const user: User = {
    uid,
    gid,
    env: { ...env, HOME: own, npm_config_registry: registry, npm_config_cache: join(own, 'cache') },
  };
  await mkdir(own);
  // A copy, because npm writes into its cache.
  if (existsSync(join(cache, '_cacache')))
    await cp(join(cache, '_cacache'), join(own, 'cache/_cacache'), { recursive: true });
  await give(own, user);
  return user;
}

async function give(path: string, { uid, gid }: User): Promise<void> {
  if (uid === undefined || gid === undefined) return;
  await chown(path, uid, gid);
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true }))
    await chown(join(entry.parentPath, entry.name), uid, gid);
}
