/**
 * Runs the commands of README.md, CONTRIBUTING.md and docs with a service, each page in a folder of its own.
 * test/docs/commands/not-run.ts lists commands that cannot run here; test/docs/commands/commands.spec.ts checks the
 * names on the pages.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exampleAgentReport } from '#wire';
import { entryOf } from '../docs/commands/not-run';
import { allCommands, blocksOf, type PageCommand, readPages } from '../docs/commands/page-commands';
import { isService, type Place, runnable, substitutions } from '../docs/commands/runnable';
import { builtProgram } from '../support/built';
import { Authority } from '../support/certificates';
import { factset } from '../support/documents';
import { freshDatabase, type FreshDatabase } from '../support/postgres';
import { until } from '../support/until';
import { ownEnvironment } from './own-environment';
import { type RunningService, startService, temporaryDataDir } from './service';
import type { VerbEnd } from './verb';

const longestMs = 60_000;
/** Pages that run at the same time. */
const atOnce = 3;

/** These verbs exclude each other, so their pages run one after the other. */
const oneByOne = ['docs/maintenance.md', 'docs/backup.md', 'docs/archives.md'];
/** Compares stored data at two moments, so nothing else may change it. */
const last = 'docs/migrate.md';

/** Statuses of unsuccessful answers. */
const refused: readonly (readonly [pattern: RegExp, status: string])[] = [
  // The page shows a mistake.
  [/"certnam"/, '400'],
  // The page describes how to add this operator.
  [/ starts with /, '400'],
];

/** Exit codes of unsuccessful commands. */
const failing: readonly (readonly [pattern: RegExp, code: number])[] = [
  // The commands are still wrong, so they are rejected again.
  [/^nodeledger dead-letters retry /, 1],
];

/** The output of a command. */
const printed: readonly (readonly [pattern: RegExp, output: RegExp])[] = [
  [/command=replace_facts/, /"uuid".*"processed" ?: ?true/],
  [/v4\/facts .*"certname","web1\.example/, /"certname" ?: ?"web1\.example\.com"/],
  [/v4\/inventory .*"Debian"/, /"certname" ?: ?"web1\.example\.com"/],
  [/openapi\.json/, /"openapi" ?: ?"3\.1/],
  [/\/metrics$/, /^# EOF$/m],
  [/num-nodes/, /"value" ?: ?\d/],
  [/java\.lang:type=Memory/, /"used" ?: ?\d/],
  [/"command":"clean"/, /"ok" ?: ?true/],
  [/dead-letters retry/, /"rejected": 2/],
  [/-F archive=/, /"ok" ?: ?true/],
  [/agent-reports/, /"processed" ?: ?true/],
  [/meta\/v1\/version/, /"version" ?: ?"\d/],
];

const agentReport = exampleAgentReport('web2', new Date().toISOString());
const toRun = allCommands().filter((command) => entryOf(command) === undefined);
const cleanUp: (() => Promise<unknown> | void)[] = [];
const used = new Set<(typeof substitutions)[number]>();
const ends = new Map<PageCommand, Promise<VerbEnd>>();
const databases = new Map<string, FreshDatabase>();
let folder: string;
let service: RunningService;
let everything: Place;
let all: Promise<unknown>;

beforeAll(async () => {
  folder = await temporaryDataDir();
  cleanUp.push(() => rm(folder, { recursive: true, force: true }));
  const agent = await agentFolder();
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const allowlist = join(folder, 'allowlist');
  await writeFile(allowlist, 'db\n');
  const tls = { CERT: 'certs/db.pem', KEY: 'private_keys/db.pem', CA: 'certs/ca.pem' };
  service = await startService({
    dataDir,
    env: {
      NODELEDGER_LOG_LEVEL: 'info',
      NODELEDGER_CERTIFICATE_ALLOWLIST: allowlist,
      ...{ NODELEDGER_TLS_HOST: '127.0.0.1', NODELEDGER_TLS_PORT: '0' },
      ...Object.fromEntries(Object.entries(tls).map(([name, path]) => [`NODELEDGER_TLS_${name}`, join(agent, path)])),
    },
  });
  cleanUp.unshift(() => service.stop());
  const secureUrl = /https:\/\/\S+:\d+/.exec(service.output())?.[0] ?? '';
  const position = await submit('web1', JSON.stringify(factset('web1', { os: 'Debian' })));
  for (const certname of ['broken1', 'broken2']) await submit(certname, '[]');
  const { letters } = (await (await fetch(`${service.url}/nodeledger/v1/dead-letters`)).json()) as {
    letters: readonly { name: string }[];
  };
  const [first, second] = letters.map(({ name }) => name);
  everything = {
    ...{ url: service.url, secureUrl, folder, dataDir, agent, position, databaseUrl: '' },
    letters: [first ?? '', second ?? ''],
  };
  for (const { text } of toRun.filter((command) => /postgres:|new service/.test(command.text)))
    databases.set(text, await freshDatabase());
  await writePrograms();
  all = runAll();
  all.catch(() => undefined);
}, 120_000);
afterAll(async () => {
  await Promise.allSettled([all]);
  for (const undo of cleanUp) await undo();
  for (const database of databases.values()) await database.drop();
}, 120_000);

/** The ssl directory of an agent on the machine of the service. */
async function agentFolder(): Promise<string> {
  const authority = Authority.make('CA');
  cleanUp.push(() => authority.remove());
  const agent = join(folder, 'agent');
  for (const part of ['certs', 'private_keys']) await mkdir(join(agent, part), { recursive: true });
  const own = authority.issue('db');
  await copyFile(own.cert, join(agent, 'certs/db.pem'));
  await copyFile(own.key, join(agent, 'private_keys/db.pem'));
  await writeFile(join(agent, 'certs/ca.pem'), authority.certificate);
  await writeFile(join(agent, 'crl.pem'), authority.revocationList());
  return agent;
}

/** Submits facts and waits for them. Returns the position of the command in the log. */
async function submit(certname: string, body: string): Promise<string> {
  const query = new URLSearchParams({ command: 'replace_facts', version: '5', certname });
  query.set('secondsToWaitForCompletion', '20');
  const answer = await fetch(`${service.url}/pdb/cmd/v1?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  await answer.text();
  return answer.headers.get('x-nodeledger-position') ?? '';
}

/** `nodeledger` is on the PATH, and curl writes the status of an answer to standard error. */
async function writePrograms(): Promise<void> {
  const program = join(folder, 'bin/nodeledger');
  await mkdir(dirname(program));
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${builtProgram('cli')}' "$@"\n`);
  await chmod(program, 0o755);
  await writeFile(join(folder, '.curlrc'), 'silent\nwrite-out = "%{stderr}HTTP %{http_code}\\n"\n');
}

/** The folder for the commands of a page, with the files that they read. */
async function folderOf(page: string): Promise<string> {
  const own = join(folder, page);
  for (const path of ['etc/puppetdb/conf.d', 'etc/nodeledger', 'opt/nodeledger'])
    await mkdir(join(own, path), { recursive: true });
  for (const [name, path] of Object.entries({ cert: 'certs/db', key: 'private_keys/db', ca: 'certs/ca' }))
    await copyFile(join(everything.agent, `${path}.pem`), join(own, `${name}.pem`));
  await writeFile(join(own, 'report.json'), JSON.stringify(agentReport));
  await writeFile(join(own, 'etc/nodeledger/nodeledger.yaml'), 'port: 8080\n');
  await writeFile(join(own, 'etc/puppetdb/conf.d/config.ini'), '[database]\nnode-ttl = 7d\n');
  return own;
}

async function runAll(): Promise<void> {
  const resolvers = new Map<PageCommand, (end: Promise<VerbEnd>) => void>();
  for (const command of toRun) ends.set(command, new Promise<VerbEnd>((resolve) => resolvers.set(command, resolve)));
  const runPages = async (pages: readonly string[]): Promise<void> => {
    for (const page of pages) {
      const own = await folderOf(page);
      for (const command of toRun.filter((one) => one.page === page)) {
        const end = run(command, own);
        resolvers.get(command)?.(end);
        await end.catch(() => undefined);
      }
    }
  };
  const free = [...new Set(toRun.map(({ page }) => page))].filter((page) => page !== last && !oneByOne.includes(page));
  const others = Array.from({ length: atOnce - 1 }, (_, group) =>
    free.filter((_page, at) => at % (atOnce - 1) === group),
  );
  await Promise.all([oneByOne, ...others].map(runPages));
  await runPages([last]);
}

/** Fails if the run of the pages has failed. */
async function endOf(command: PageCommand): Promise<VerbEnd | undefined> {
  await Promise.race([all, ends.get(command)]);
  return ends.get(command);
}

let started = 0;

async function run(command: PageCommand, cwd: string): Promise<VerbEnd> {
  const text = [...command.before, command]
    .map((one) =>
      runnable(one, { ...everything, folder: cwd, databaseUrl: databases.get(one.text)?.connectionString ?? '' }, used),
    )
    .join(' && ');
  const forever = isService(command);
  const data = forever ? join(folder, `started-${++started}`) : everything.dataDir;
  // The signal is for the service, not for the shell.
  const child = spawn('bash', ['-c', forever ? text.replace(/\bnode /, 'exec node ') : text], {
    cwd,
    env: ownEnvironment({
      PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
      CURL_HOME: folder,
      NODELEDGER_DATA_DIR: data,
      NODELEDGER_PORT: forever ? '0' : new URL(everything.url).port,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return ended(child, forever);
}

/** Stops commands that run until they are stopped, as soon as they accept requests. */
async function ended(child: ChildProcess, forever: boolean): Promise<VerbEnd> {
  const said = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  const late = setTimeout(() => child.kill('SIGKILL'), longestMs);
  const closed = once(child, 'close');
  if (forever) {
    await until(() => said.stdout.includes('listens on') || child.exitCode !== null, { withinMs: longestMs });
    child.kill('SIGTERM');
  }
  const [code] = (await closed) as [number | null];
  clearTimeout(late);
  return { code, ...said };
}

test.each(toRun.map((command) => [`${command.page}:${command.line} ${command.text.split('\n')[0]}`, command] as const))(
  '%s',
  async (_, command) => {
    const { code, stdout, stderr } = (await endOf(command)) ?? { code: null, stdout: '', stderr: 'it has not run' };
    const expectedCode = failing.find(([pattern]) => pattern.test(command.text))?.[1] ?? 0;
    if (code !== expectedCode) throw new Error(`it ended with ${code}:\n${stdout}\n${stderr}`);
    if (isService(command)) expect(stdout).toContain('listens on');
    const status = refused.find(([pattern]) => pattern.test(command.text))?.[1] ?? '200';
    if (/^curl /.test(command.text)) expect([stdout, stderr]).toEqual([stdout, `HTTP ${status}\n`]);
    for (const [pattern, output] of printed) if (pattern.test(command.text)) expect(stdout).toMatch(output);
  },
  longestMs * 4,
);

describe('answers that the pages show', () => {
  const blocks = readPages().flatMap(blocksOf);
  const shown = (page: string, language: string): Record<string, unknown> => {
    const block = blocks.find((one) => one.page === page && one.language === language);
    return JSON.parse(block?.lines.join('\n') ?? '') as Record<string, unknown>;
  };

  it('no page has another one', () => {
    const pages = blocks.filter(({ language }) => language === 'json').map(({ page }) => page);
    expect(pages).toEqual(['docs/agent-reports.md', 'docs/monitoring.md', 'docs/webhooks.md']);
  });

  it('docs/monitoring.md: a ready service', async () => {
    const command = toRun.find(({ page, text }) => page === 'docs/monitoring.md' && text.endsWith('/ready'));
    const end = command === undefined ? undefined : await endOf(command);
    expect(Object.keys(JSON.parse(end?.stdout ?? '') as object)).toEqual(
      Object.keys(shown('docs/monitoring.md', 'json')),
    );
  });

  it('docs/webhooks.md: a change as a CloudEvent', async () => {
    await all;
    const answer = await fetch(`${service.url}/nodeledger/v1/changes?follow=false&since=1%20hour%20ago&kind=report`);
    const [, event = ''] = /^data: (.*)$/m.exec(await answer.text()) ?? [];
    const { data, ...found } = JSON.parse(event) as { data: object };
    const { data: shownData, ...expected } = shown('docs/webhooks.md', 'json');
    expect(Object.keys(found).sort()).toEqual(Object.keys(expected).sort());
    expect(Object.keys(data)).toEqual(expect.arrayContaining(Object.keys(shownData as object)));
  });

  it('docs/agent-reports.md: a report that breaks its format', async () => {
    const answer = await fetch(`${service.url}/nodeledger/v1/agent-reports`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...agentReport, noop: 1 }),
    });
    expect([answer.status, await answer.json()]).toEqual([400, shown('docs/agent-reports.md', 'json')]);
  });

  it('docs/monitoring.md: the line of a failed query', async () => {
    await all;
    const line = service
      .output()
      .split('\n')
      .find((one) => one.includes('change-4711'));
    const { time, ms, ...expected } = shown('docs/monitoring.md', 'text');
    const found = JSON.parse(line ?? '') as Record<string, unknown>;
    expect(found).toMatchObject(expected);
    expect(Object.keys(found).sort()).toEqual(Object.keys({ ...expected, time, ms }).sort());
  });
});

test('the service has the paths that the pages name', async () => {
  const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as { paths: object };
  const templates = Object.keys(paths).map((path) => path.split('/'));
  const isVariable = (segment: string): boolean => /^[{<]/.test(segment);
  // The name of several paths is their common prefix.
  const isDescribed = (path: string): boolean =>
    templates.some((template) =>
      path.split('/').every((segment, at) => {
        const described = template[at];
        return described !== undefined && (segment === described || isVariable(segment) || isVariable(described));
      }),
    );
  const inCode = readPages().flatMap(({ name, text }) =>
    [...text.matchAll(/`(?:(?:GET|POST) )?(\/(?:pdb|status|metrics|nodeledger|openapi|docs\/api)[^`*…?]*)/g)].map(
      ([, path = '']) => ({ name, path }),
    ),
  );
  expect(inCode.length).toBeGreaterThan(40);
  const missing: { name: string; path: string }[] = [];
  for (const one of inCode.filter(({ path }) => !isDescribed(path))) {
    const answer = await fetch(new URL(one.path, service.url), { redirect: 'manual' });
    await answer.arrayBuffer();
    if (answer.status === 404) missing.push(one);
  }
  expect(missing).toEqual([]);
});

test('each substitution and each expectation is needed', async () => {
  await all;
  expect(substitutions.filter((one) => !used.has(one)).map(({ pattern }) => pattern)).toEqual([]);
  const patterns = [...refused, ...failing, ...printed].map(([pattern]) => pattern);
  expect(patterns.filter((pattern) => !toRun.some(({ text }) => pattern.test(text)))).toEqual([]);
});
