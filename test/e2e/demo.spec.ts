/** Tests `npm run demo` as a process: its output, its files, and how it removes the files of a killed demo. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { builtFile } from '../support/built';
import { until } from '../support/until';
import { temporaryDataDir } from './service';
import { runTool, runVerb, type VerbEnd } from './verb';

interface Demo {
  readonly child: ChildProcess;
  output(): string;
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends SIGINT. Returns the exit code. */
  stop(): Promise<number | null>;
}

/** Parent of the temporary directories of the demos. */
let temporary: string;
const running = new Set<ChildProcess>();

beforeEach(async () => {
  temporary = await temporaryDataDir();
});
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  running.clear();
  await rm(temporary, { recursive: true, force: true });
});

/** Settings for a service must not reach the demo. */
const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  TMPDIR: temporary,
  DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/production',
});

function startDemo(...flags: readonly string[]): Demo {
  const child = spawn(process.execPath, [builtFile('tools/main.js'), 'demo', '--port', '0', ...flags], {
    cwd: temporary,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const exited = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  return {
    child,
    output: () => output,
    async until(pattern) {
      await until(() => pattern.test(output) || child.exitCode !== null || child.signalCode !== null, {
        withinMs: 120_000,
      });
      const found = pattern.exec(output);
      if (found === null) throw new Error(`the demo did not say ${pattern}:\n${output}`);
      return found;
    },
    async stop() {
      child.kill('SIGINT');
      await exited;
      return child.exitCode;
    },
  };
}

const demoDirectories = (): string[] => readdirSync(temporary).filter((name) => name.startsWith('nodeledger-demo-'));
const refused = (...flags: readonly string[]): Promise<VerbEnd> =>
  runTool(['demo', ...flags], temporary, { TMPDIR: temporary });

test('prints questions with their answers, keeps submitting reports, and removes its directory', async () => {
  const demo = startDemo('--nodes', '10');
  await demo.until(/^The demo starts its own service/);
  const [, url = ''] = await demo.until(/listens on (http:\S+)/);
  await demo.until(/Ctrl-C stops everything/);
  const [directory = ''] = demoDirectories();

  // The commands that it shows work, and give the answers that it shows.
  const shown = /^(Which nodes failed.*)\n {2}npm run --silent nodeledger -- (.*)\n((?: {4}.*\n)+)/m.exec(
    demo.output(),
  );
  const [, , words = '', answer = ''] = shown ?? [];
  expect(words).toBe(`nodes --failed --url ${url}`);
  const { stdout } = await runVerb([...words.split(' '), '--format', 'csv'], temporary);
  const failed = stdout.trim().split('\r\n').slice(1);
  expect(failed.length).toBeGreaterThan(1);
  for (const row of failed.slice(0, 4)) expect(answer).toContain(row.split(',')[0]?.slice(0, 12));
  for (const part of ['Telegraf', 'package_name = "openssl"', `${url}/status/v1/services`])
    expect(demo.output()).toContain(part);
  expect(demo.output().match(/^ {2}npm run --silent nodeledger -- /gm)).toHaveLength(6);

  const rowsOf = async (query: string): Promise<Record<string, unknown>[]> =>
    JSON.parse((await runVerb(['query', query, '--url', url, '--json'], temporary)).stdout) as Record<
      string,
      unknown
    >[];
  const classes = await rowsOf('events[distinct containing_class] { timestamp > now() - 3d }');
  expect(classes.length).toBeGreaterThan(20);
  expect(classes).not.toContainEqual({ containing_class: null });
  expect(await rowsOf('nodes[certname] { report_timestamp < now() - 2h }')).toHaveLength(1);
  // Something broke two hours ago.
  const failing = 'nodes[certname] { latest_report_status = "failed" and certname ~ "-0003" }';
  expect(await rowsOf(failing)).toHaveLength(1);
  expect(await rowsOf(`${failing} as of "2 hours ago"`)).toEqual([]);
  expect(await rowsOf('nodes[certname] {} as of "2 hours ago"')).toHaveLength(10);
  expect(await rowsOf('nodes[certname] {} as of "3 days ago"')).toEqual([]);

  // While it runs, the test kills a second demo. A third one removes the files of the second one, and at its end its
  // own directory.
  const killed = startDemo('--nodes', '1');
  await killed.until(/listens on/);
  const [left = ''] = demoDirectories().filter((name) => name !== directory);
  const postmaster = Number(
    readFileSync(join(temporary, left, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0],
  );
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  expect(existsSync(`/proc/${postmaster}`)).toBe(process.platform === 'linux');
  const third = startDemo('--nodes', '3');
  await third.until(/listens on/);
  expect(third.output()).toContain(`removed ${join(temporary, left)}, which a killed demo had left`);
  expect(existsSync(join(temporary, left))).toBe(false);
  expect(() => process.kill(postmaster, 0)).toThrow();
  // Nothing reads its output any more.
  const gone = once(third.child, 'exit');
  third.child.stdout?.destroy();
  await gone;
  expect(demoDirectories()).toEqual([directory]);

  const reports = 'reports[count()] { receive_time > now() - 1m and end_time > now() - 3m }';
  const isLive = async (): Promise<boolean> => Number((await rowsOf(reports))[0]?.['count']) > 0;
  await until(isLive, { withinMs: 60_000 });

  expect(await demo.stop()).toBe(0);
  expect(demo.output()).toContain(`removed ${join(temporary, directory)}\n`);
  expect(demoDirectories()).toEqual([]);
}, 180_000);

test('refuses flags and ports before it creates anything', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const refusals: readonly (readonly [readonly string[], RegExp])[] = [
    [['--nodes', '0'], /expected a whole number from 1 to 500/],
    [['--nodes', '501'], /expected a whole number from 1 to 500/],
    [['--port', String(port)], /port \d+ of 127\.0\.0\.1 is in use by another program\nStop that program/],
  ];
  for (const [flags, expected] of refusals) {
    const { code, stderr } = await refused(...flags);
    expect([code, stderr]).toEqual([1, expect.stringMatching(expected) as string]);
  }
  taken.close();
  expect(readdirSync(temporary)).toEqual([]);
}, 60_000);
