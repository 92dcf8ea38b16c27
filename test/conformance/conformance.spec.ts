/**
 * Compares the answers of the service with the recorded answers of the reference: loads a dataset into an empty service
 * and sends the whole corpus, in both dialects. A difference is accepted only if exceptions.json gives a reason;
 * docs/differences.md explains it.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startService, temporaryDataDir, type RunningService } from '../e2e/service';

interface Difference {
  readonly id: string;
  readonly why: readonly string[];
}

interface Score {
  readonly total: number;
  readonly same: number;
  readonly areas: Readonly<Record<string, { readonly n: number; readonly ok: number }>>;
  readonly failures: readonly Difference[];
}

/** By id: the reason why the answer differs from the recorded one. */
interface Exceptions {
  readonly queries: Readonly<Record<string, string>>;
  readonly submissions: Readonly<Record<string, string>>;
  /** Queries that the recorded server refuses because they use additions to the language. */
  readonly additions: Readonly<Record<string, string>>;
}

const settings = {
  NODELEDGER_EDITION: 'open',
  NODELEDGER_GC_INTERVAL: '0',
  NODELEDGER_NODE_TTL: '4000d',
  NODELEDGER_NODE_PURGE_TTL: '20000d',
  NODELEDGER_REPORT_TTL: '20000d',
  NODELEDGER_RESOURCE_EVENTS_TTL: '20000d',
};
const exceptions = readJson<Exceptions>(join(__dirname, 'exceptions.json'));
const run = promisify(execFile);

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

/** Runs a script of this folder and returns its output. */
async function script(name: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [name, ...args], { cwd: __dirname, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** Returns the differences without an exception, formatted for the message of a failure. */
const unexplained = (differences: readonly Difference[], known: Readonly<Record<string, string>>): string[] =>
  differences.filter(({ id }) => known[id] === undefined).map(({ id, why }) => `${id}: ${why.join('; ')}`);

function scoreLines({ total, same, areas }: Score): string {
  const short = Object.entries(areas).map(([area, { n, ok }]) => `${area} ${ok}/${n}`);
  return `${same}/${total} same; ${short.join(', ')}`;
}

/**
 * Exceptions that are no longer needed. If they stayed in exceptions.json, they would hide a difference that comes
 * back.
 */
const idle = (known: Readonly<Record<string, string>>, differences: readonly Difference[]): string[] =>
  Object.keys(known).filter((id) => !differences.some((one) => one.id === id));

describe.each([
  ['puppetdb', 'true'],
  ['neutral', 'false'],
])('dialect %s, strict queries %s', (dialect, strict) => {
  const known = strict === 'true' ? exceptions.queries : { ...exceptions.queries, ...exceptions.additions };
  let service: RunningService;
  let dataDir: string;
  let loaded: string;

  beforeAll(async () => {
    dataDir = await temporaryDataDir();
    service = await startService({
      dataDir,
      env: { ...settings, NODELEDGER_DIALECT: dialect, NODELEDGER_STRICT_QUERIES: strict },
    });
    loaded = await script('load.mjs', service.url, 'datasets/public.jsonl', '--dialect', dialect, '--allow-failures');
  }, 120_000);

  afterAll(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('takes every command of the dataset', () => {
    expect(loaded).toMatch(/^loaded 138 of 138 in/);
  });

  it('answers the corpus as recorded', async () => {
    const out = join(dataDir, 'score.json');
    const corpus = ['--corpus', 'corpus/*.jsonl', '--vars', 'datasets/public.vars.json'];
    const golden = 'golden/public.jsonl.gz';
    await script('compare.mjs', golden, service.url, ...corpus, '--dialect', dialect, '--quiet', '--json', out);
    const score = readJson<Score>(out);
    console.info(`conformance, dialect ${dialect}: ${scoreLines(score)}`);
    expect(unexplained(score.failures, known)).toEqual([]);
    expect(idle(known, score.failures)).toEqual([]);
    expect(score.total).toBe(3773);
  }, 120_000);

  it('has the content hashes of what was sent', async () => {
    const tallies = (await script('verify-hashes.mjs', service.url, 'datasets/public.jsonl')).trim().split('\n');
    expect(tallies.sort()).toEqual([
      'catalog: 28 match, 0 differ',
      'factset: 29 match, 0 differ',
      'report: 44 match, 0 differ',
      'resource: 361 match, 0 differ',
    ]);
  });

  // Runs last, because it creates nodes.
  it('answers wrong submissions as recorded', async () => {
    const out = join(dataDir, 'submissions.json');
    await script('bad.mjs', service.url, 'datasets/bad.jsonl', '--json', out);
    const score = readJson<Score>(out);
    console.info(`wrong submissions, dialect ${dialect}: ${score.same}/${score.total} same`);
    expect(unexplained(score.failures, exceptions.submissions)).toEqual([]);
    expect(idle(exceptions.submissions, score.failures)).toEqual([]);
    expect(score.total).toBe(217);
  }, 120_000);
});
